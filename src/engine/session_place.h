/* session_place.h - the address of the session in every process that maps it. */
#ifndef ENGINE_SESSION_PLACE_H
#define ENGINE_SESSION_PLACE_H

#include <stdint.h>

#define SESSION_ADDRESS ((void *)0x100000000000)
#define SESSION_SIZE ((uint64_t)64 << 30) /* of address space, and of a sparse file */

#endif
