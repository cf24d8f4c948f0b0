// The example scenes, embedded into the command by the build (cmake/embed_examples.cmake).
#ifndef CLI_EXAMPLES_DATA_H
#define CLI_EXAMPLES_DATA_H

#include <stddef.h>

typedef struct example_file {
    const char *name; // file name without .yaml
    const char *text; // zero-terminated
    size_t size;      // bytes, without the closing zero
} example_file;

extern const example_file cdg_example_files[]; // by name
extern const size_t cdg_example_file_count;

#endif
