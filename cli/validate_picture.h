// A picture of rods that a validation case kept, as the bytes of a PNG file.
#ifndef CLI_VALIDATE_PICTURE_H
#define CLI_VALIDATE_PICTURE_H

#include "validation/cases.h"

// The bytes are malloc'ed.
cdg_result validate_picture_render(const validation_picture *picture, char **bytes, size_t *size, cdg_error *error);

#endif
