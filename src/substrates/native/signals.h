/* signals.h - see signals.c. */
#ifndef NATIVE_SIGNALS_H
#define NATIVE_SIGNALS_H

void signals_install(void);

#endif
