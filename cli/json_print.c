// The document is made in memory and printed at the end, so that a failure on the way leaves no half document.
#include "json_print.h"

#include "terminal.h"

#include <cordage/base.h>

cdg_json json_begin(const char *command) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "cordage", cdg_version());
    cdg_json_text(&json, "command", command);
    return json;
}

void json_print(cdg_json *json) {
    cdg_json_end(json);
    const char *text = cdg_json_finish(json);
    if (text)
        fputs(text, stdout);
    else
        complain("the JSON document could not be made; is the machine out of memory?");
    cdg_json_free(json);
}
