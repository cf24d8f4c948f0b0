// Names with commas between them, as an option takes them.
#ifndef CDG_RENDER_NAME_LIST_H
#define CDG_RENDER_NAME_LIST_H

#include "output/run_reader.h"

// Whether `name` is one of them; spaces about names do not count. A list that is NULL is empty.
bool cdg_name_is_listed(const char *list, const char *name);
// Fails with CDG_ERROR_ARGUMENT when the run has no rod, body, obstacle or solid of some name that the option lists.
cdg_result cdg_name_list_check(const char *list, const char *option, const cdg_run_reader *reader, cdg_error *error);

#endif
