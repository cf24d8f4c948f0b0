// Files and directories with errors that name the path and the system's reason.
#ifndef CDG_OUTPUT_DISK_H
#define CDG_OUTPUT_DISK_H

#include <cordage/base.h>

// directory + "/" + name + suffix (suffix may be ""), malloc'ed; NULL when out of memory.
char *cdg_disk_join(const char *directory, const char *name, const char *suffix);

// Makes the directory and its parents where absent.
cdg_result cdg_disk_make_directory(const char *path, cdg_error *error);

// Keeps other runs out of a directory as long as *descriptor is open (close() it); the system lets go when the process
// dies. File systems that cannot lock are taken as unlocked.
cdg_result cdg_disk_lock_directory(const char *path, int *descriptor, cdg_error *error);

// Writes or reads all bytes at `offset`, or fails: a full disk, a quota, an early end. `path` stands in messages.
cdg_result cdg_disk_write_at(int descriptor, const char *path, const void *data, size_t size, uint64_t offset,
                             cdg_error *error);
cdg_result cdg_disk_read_at(int descriptor, const char *path, void *data, size_t size, uint64_t offset,
                            cdg_error *error);

// Numbers of single precision, as doubles.
cdg_result cdg_disk_read_singles_at(int descriptor, const char *path, double *numbers, size_t count, uint64_t offset,
                                    cdg_error *error);

// Reserves room for bytes that will be written there soon, if the file system can: one piece of room makes many writes
// faster. The bytes read as zeros until they are written; the file's size stays.
void cdg_disk_reserve(int descriptor, uint64_t offset, uint64_t size);

// Waits until the file is on the device.
cdg_result cdg_disk_sync(int descriptor, const char *path, cdg_error *error);

// Renames `from` over `to`. It is durable once the directory is synced.
cdg_result cdg_disk_replace(const char *from, const char *to, cdg_error *error);

// A file that is written beside the one it will replace: path + ".new", malloc'ed (NULL: out of memory); the new one in
// place of the old; the new one gone.
char *cdg_disk_new_name(const char *path);
cdg_result cdg_disk_install_new(const char *path, cdg_error *error);
void cdg_disk_discard_new(const char *path);

// Writes a whole file under path + ".new", waits for the device if asked to, then renames it: readers see the old or
// the new text, never half of one.
cdg_result cdg_disk_write_file(const char *path, const char *text, size_t size, bool should_sync, cdg_error *error);

// Reads a whole file; *text is malloc'ed and terminated. Files above `size_limit` bytes are refused.
cdg_result cdg_disk_read_file(const char *path, size_t size_limit, char **text, size_t *size, cdg_error *error);

// Seconds of a clock that never jumps.
double cdg_disk_clock(void);

#endif
