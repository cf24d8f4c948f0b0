// Filling a cdg_error: the code and a printf-style sentence in one expression.
#ifndef CDG_BASE_ERROR_H
#define CDG_BASE_ERROR_H

#include <cordage/base.h>

// Sets code and message (error may be NULL) and returns the code, so that callers write `return cdg_fail(...)`.
cdg_result cdg_fail(cdg_error *error, cdg_result code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// A public function was given no `name`: CDG_ERROR_ARGUMENT.
cdg_result cdg_fail_null(cdg_error *error, const char *name);

void cdg_error_clear(cdg_error *error); // error may be NULL

#endif
