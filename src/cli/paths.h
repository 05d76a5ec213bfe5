/* paths.h - where the parts of this Heddle are, in the build tree or installed.
 *
 * The tool finds its own runtime library by where it stands itself, so that a copied or relocated
 * installation works. $HEDDLE_LIBDIR and $HEDDLE_INCLUDEDIR overrule. Results are absolute, without
 * symbolic links, and stay valid; NULL means not found. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

/* The runtime library itself, .../libheddle.so: for preloading. */
const char *paths_library(void);

/* The directory it is in: for -L and -rpath. */
const char *paths_library_directory(void);

/* The extension for gdb, .../heddle_gdb/start.py. */
const char *paths_gdb_script(void);

/* The directory that holds heddle/heddle.h. */
const char *paths_include(void);

#endif
