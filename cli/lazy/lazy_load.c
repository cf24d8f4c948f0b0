// A stub's first call: the function is found, the stub goes there from then on, and so does this call with all its
// arguments. Loading all libraries at the start would take longer than a short run.
#include "lazy_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

extern void *lazy_targets[] __attribute__((visibility("hidden"))); // one a symbol, beside the stubs

// Without the library there is no way on, as when the command had not started at all.
static void *fail(const char *library) {
    fprintf(stderr, "cordage: %s cannot be loaded, which is needed here: %s\n", library, dlerror());
    exit(EXIT_FAILURE);
}

// Called by lazy_first below, from several threads at once: each finds the same.
__attribute__((visibility("hidden"))) void *lazy_resolve(size_t index);
void *lazy_resolve(size_t index) {
    const char *library = lazy_libraries[lazy_symbols[index].library];
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    void *function = handle != NULL ? dlsym(handle, lazy_symbols[index].name) : NULL;
    if (function == NULL) return fail(library);
    __atomic_store_n(&lazy_targets[index], function, __ATOMIC_RELAXED);
    return function;
}

// Keeps what may hold arguments: six registers, the count of vectors (rax), the static chain (r10), and the vectors.
// The index lies on the stack, above the return address.
__asm__(".text\n"
        ".hidden lazy_first\n"
        ".globl lazy_first\n"
        ".type lazy_first, @function\n"
        "lazy_first:\n"
        "pushq %rax\n pushq %r10\n pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n"
        "subq $128, %rsp\n"
        "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"
        "movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
        "movq 192(%rsp), %rdi\n"
        "call lazy_resolve\n"
        "movq %rax, %r11\n"
        "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"
        "movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
        "addq $128, %rsp\n"
        "popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %r10\n popq %rax\n"
        "addq $8, %rsp\n"
        "jmp *%r11\n"
        ".size lazy_first, .-lazy_first\n");
