// Result texts and error messages.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define TEXT_OF(value) #value
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *cdg_version(void) { return VERSION_TEXT(CDG_VERSION_MAJOR, CDG_VERSION_MINOR, CDG_VERSION_PATCH); }

const char *cdg_result_text(cdg_result result) {
    switch (result) {
#define RESULT_CASE(name, text)                                                                                        \
    case name: return text;
        CDG_RESULT_LIST(RESULT_CASE)
#undef RESULT_CASE
    case CDG_RESULT_COUNT: break;
    }
    return "unknown result code";
}

cdg_result cdg_fail(cdg_error *error, cdg_result code, const char *format, ...) {
    if (error != NULL) {
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return code;
}

cdg_result cdg_fail_null(cdg_error *error, const char *name) {
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s is NULL, and must not be", name);
}

void cdg_error_clear(cdg_error *error) {
    if (error != NULL) {
        error->code = CDG_OK;
        error->message[0] = '\0';
    }
}
