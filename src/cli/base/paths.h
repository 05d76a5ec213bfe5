/* paths.h - where the parts of this Heddle are, in the build tree or installed.
 *
 * The tool finds its runtime library relative to its own place, so that a copied or moved
 * installation works. $HEDDLE_LIBDIR and $HEDDLE_INCLUDEDIR take precedence. The results are
 * absolute paths without symbolic links, and stay valid. NULL means that the part was not found. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

/* The path of the runtime library, .../libheddle.so, for preloading. */
const char *paths_library(void);

/* The directory of the runtime library, for -L and -rpath. */
const char *paths_library_directory(void);

/* The path of the gdb extension, .../heddle_gdb/start.py. */
const char *paths_gdb_script(void);

/* The directory that holds heddle/heddle.h. */
const char *paths_include(void);

#endif
