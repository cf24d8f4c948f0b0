// A folder of files of one kind that is there whole or not at all: filled under a temporary name, then renamed.
#ifndef CDG_EXPORT_WHOLE_FOLDER_H
#define CDG_EXPORT_WHOLE_FOLDER_H

#include <cordage/base.h>

typedef struct cdg_whole_folder {
    char *path, *temporary_path; // write files into temporary_path
    const char *extension;       // ".vtp": of every file that goes in
} cdg_whole_folder;

// Makes the temporary folder. A folder at `path` will be replaced, but is refused when it holds anything else than
// files with this extension: it would be lost. CDG_ERROR_IO says why and where.
cdg_result cdg_whole_folder_begin(const char *path, const char *extension, cdg_whole_folder *out, cdg_error *error);
// Puts the folder in place of the old one, which is removed.
cdg_result cdg_whole_folder_end(cdg_whole_folder *folder, cdg_error *error);
// Removes the temporary folder; the old one, if any, stays. Fine after end, too.
void cdg_whole_folder_abandon(cdg_whole_folder *folder);

#endif
