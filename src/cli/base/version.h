/* version.h - the version of Heddle, from the build. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "0.1.0"
#endif

#endif
