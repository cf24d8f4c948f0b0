// The text of a single-quoted YAML scalar. libfyaml 0.7 loses memory on one with many quotes inside (its issue 233), so
// these are decoded here.
#ifndef CDG_SCENE_SINGLE_QUOTED_H
#define CDG_SCENE_SINGLE_QUOTED_H

#include <stddef.h>

// `raw` is what stands between the quotes; `out` has room for as many bytes. Returns the length of the text.
size_t cdg_single_quoted_decode(const char *raw, size_t size, char *out);

#endif
