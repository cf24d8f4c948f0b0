// The viewer's page, one HTML file compressed with gzip, embedded by the build (cmake/embed_page.cmake).
#ifndef CDG_VIEW_PAGE_H
#define CDG_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char cdg_page_bytes[];
extern const size_t cdg_page_size;

#endif
