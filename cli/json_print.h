// The one JSON document that --json prints on standard output.
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

#include "output/json.h"

// Opens the outermost object, with the version and the command's name in it.
cdg_json json_begin(const char *command);
// Closes it and prints it.
void json_print(cdg_json *json);

#endif
