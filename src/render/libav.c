// Loading libav by name and version.
#include "render/libav.h"

#include "base/error.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The library stays in the process: its parts keep state of their own, and threads, that unloading would pull away.
static void *open_library(const char *name, unsigned version, cdg_error *error) {
    char file[40];
    snprintf(file, sizeof file, "lib%s.so.%u", name, version);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                       "films need %s, which cannot be loaded (%.300s); install the package that holds it, or draw "
                       "pictures (.png) instead",
                       file, dlerror());
    return library;
}

// POSIX has function pointers fit into object pointers, which C does not say.
static bool find(void *library, const char *name, void *pointer, size_t size, cdg_error *error) {
    void *address = dlsym(library, name);
    if (address == NULL)
        (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED, "films need %s, which this machine's libav does not have", name);
    memcpy(pointer, &address, size);
    return address != NULL;
}

cdg_result cdg_libav_load(cdg_libav *out, cdg_error *error) {
    void *format = open_library("avformat", LIBAVFORMAT_VERSION_MAJOR, error);
    void *codec = format != NULL ? open_library("avcodec", LIBAVCODEC_VERSION_MAJOR, error) : NULL;
    void *util = codec != NULL ? open_library("avutil", LIBAVUTIL_VERSION_MAJOR, error) : NULL;
    void *scale = util != NULL ? open_library("swscale", LIBSWSCALE_VERSION_MAJOR, error) : NULL;
    bool is_good = scale != NULL;
#define CDG_LIBAV_FIND(name) is_good = is_good && find(from, #name, &out->name, sizeof out->name, error);
    void *from = format;
    CDG_AVFORMAT_LIST(CDG_LIBAV_FIND)
    from = codec;
    CDG_AVCODEC_LIST(CDG_LIBAV_FIND)
    from = util;
    CDG_AVUTIL_LIST(CDG_LIBAV_FIND)
    from = scale;
    CDG_SWSCALE_LIST(CDG_LIBAV_FIND)
#undef CDG_LIBAV_FIND
    void *const libraries[] = {format, codec, util, scale};
    for (int i = 0; i < 4; i++)
        if (libraries[i] != NULL) dlclose(libraries[i]);
    return is_good ? CDG_OK : CDG_ERROR_UNSUPPORTED;
}
