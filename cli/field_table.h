// Fields of a run's rods over their length and over time, as `cordage info --field` tells them.
#ifndef CLI_FIELD_TABLE_H
#define CLI_FIELD_TABLE_H

#include "output/json.h"

#include <cordage/base.h>

// `fields`: names with commas between them. `json` NULL: a table on standard output.
cdg_result tell_fields(const char *directory, const char *fields, cdg_json *json, cdg_error *error);

#endif
