// Films: pictures in, an MP4 (H.264) or WebM (VP9) file out. The only user of libav.
#ifndef CDG_RENDER_FILM_H
#define CDG_RENDER_FILM_H

#include <cordage/base.h>

typedef struct cdg_film cdg_film;

// Whether a file name's ending is that of a film: .mp4, .m4v, .mov or .webm.
bool cdg_film_is_film(const char *path);

// Makes the file under a temporary name. Sizes must be even; fps in pictures a second.
cdg_result cdg_film_begin(const char *path, int width, int height, double fps, cdg_film **out, cdg_error *error);
// Pictures are 8-bit sRGB triples, rows from the top.
cdg_result cdg_film_add(cdg_film *film, const unsigned char *rgb, cdg_error *error);
// Completes the file and gives it its name. The film is gone afterwards, also on failure; then no file is left, and
// what was at `path` before is still there.
cdg_result cdg_film_end(cdg_film *film, cdg_error *error);
void cdg_film_abandon(cdg_film *film); // removes what was written; NULL is fine

#endif
