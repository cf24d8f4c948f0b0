# Flags that every target of the project shares, and the library's code that is compiled once for each instruction set.

# Not -Wdouble-promotion: INFINITY and NAN are floats, so it complains of every comparison with them.
set(CORDAGE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # What it finds depends on the optimiser, and snprintf's cutting short is defined and often wanted.
    list(APPEND CORDAGE_WARNINGS -Wno-format-truncation)
endif()

# Hundreds of test programs are linked in builds that check; lld takes a third of the time there.
if(CORDAGE_CHECKS OR CORDAGE_SANITIZE)
    find_program(CORDAGE_LLD ld.lld)
    if(CORDAGE_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()

# No -ffast-math anywhere. Without contraction a result does not depend on the optimisation level; the vector kernels
# (*_simd.c, here SIMD) are the exception: they are written for fused multiply-add.
set(CORDAGE_SCALAR_FLAGS -fno-math-errno -ffp-contract=off)
set(CORDAGE_SIMD_FLAGS -fno-math-errno -ffp-contract=fast -fno-trapping-math)

function(cordage_compile_options target)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    target_compile_options(${target} PRIVATE ${CORDAGE_WARNINGS})
    # Programs that use the library name a place on a rod by its first three members; those left out are zero.
    if(target MATCHES "^(test_|sample_|cordage_bench|cordage_validation|cordage_soak)")
        target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
    endif()
    if(ARGV1 STREQUAL "SIMD")
        target_compile_options(${target} PRIVATE ${CORDAGE_SIMD_FLAGS})
    else()
        target_compile_options(${target} PRIVATE ${CORDAGE_SCALAR_FLAGS})
    endif()
    if(CORDAGE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(CORDAGE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${CORDAGE_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
        if(CORDAGE_SANITIZE MATCHES "undefined") # what the address sanitizer finds too
            target_compile_options(${target} PRIVATE -fno-sanitize=object-size,null)
        endif()
        target_link_options(${target} PUBLIC -fsanitize=${CORDAGE_SANITIZE})
    endif()
endfunction()

# Each *_simd.c becomes one object per instruction set, its functions told apart by CDG_SIMD_SUFFIX; the library chooses
# at run time. Only these objects may contain instructions beyond plain x86-64.
function(cordage_add_simd target)
    if(NOT ARGN)
        return()
    endif()
    set(variants base)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        list(APPEND variants avx2 avx512)
    endif()
    set(doubles_base 2)
    set(doubles_avx2 4)
    set(doubles_avx512 8)
    set(flags_base "")
    set(flags_avx2 -mavx2 -mfma)
    set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512)
    foreach(variant IN LISTS variants)
        set(objects ${target}_simd_${variant})
        add_library(${objects} OBJECT ${ARGN})
        cordage_compile_options(${objects} SIMD)
        target_compile_definitions(${objects} PRIVATE CDG_SIMD_SUFFIX=_${variant}
                                                      CDG_SIMD_DOUBLES=${doubles_${variant}})
        target_compile_options(${objects} PRIVATE ${flags_${variant}})
        # Unrolled loops full of checks are the longest to compile by far: the base variant alone has them, and under
        # sanitizers tests use it on every machine (tests/CMakeLists.txt).
        if(CORDAGE_SANITIZE AND NOT variant STREQUAL "base")
            target_compile_options(${objects} PRIVATE -fno-sanitize=all -O0)
        elseif(CORDAGE_SANITIZE MATCHES "undefined")
            target_compile_options(${objects} PRIVATE -fno-sanitize=pointer-overflow)
        endif()
        target_include_directories(${objects} PRIVATE ${CORDAGE_PUBLIC_INCLUDES} src)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
endfunction()
