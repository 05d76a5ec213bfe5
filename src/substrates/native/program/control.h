/* control.h - whether the program is under control, or will be (start.c). */
#ifndef NATIVE_CONTROL_H
#define NATIVE_CONTROL_H

#include <stdbool.h>

struct control {
    bool expected; /* there is a session, perhaps not attached yet */
    bool taken;    /* main has begun under our control */
    bool absent;   /* there is no session: the program runs as it would without us */
};

extern struct control control;

#endif
