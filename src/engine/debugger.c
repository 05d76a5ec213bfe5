/* debugger.c - see debugger.h. The tables are brought up to date at every event, because the user
 * may stop anywhere, and then it is too late to ask the program. */
#include "engine/debugger.h"

#include <stdio.h>

DEBUGGER_EXPORT struct debugger heddle_debugger = {
    .version = DEBUGGER_VERSION,
    .task_size = sizeof(struct debugger_task),
    .lock_size = sizeof(struct debugger_lock),
    .text = "",
};

_Static_assert(sizeof(struct debugger_registers) == 64, "read byte by byte");
_Static_assert(sizeof(struct debugger_task) == 128, "read byte by byte");
_Static_assert(sizeof(struct debugger_lock) == 32, "read byte by byte");
_Static_assert(sizeof(struct debugger) == 64, "read byte by byte");

static void (*refresh_tables)(struct debugger *debugger);

/* A debugger has its breakpoint here. */
DEBUGGER_EXPORT __attribute__((noinline)) void heddle_debugger_stop(void) {
    __asm__ volatile("" : : : "memory");
}

DEBUGGER_EXPORT __attribute__((naked)) void heddle_debugger_return(void) {
    __asm__("ret");
}

static void stop(enum debugger_reason reason) {
    heddle_debugger.reason = reason;
    heddle_debugger_stop();
}

void debugger_start(void (*refresh)(struct debugger *debugger)) {
    refresh_tables = refresh;
    stop(DEBUGGER_START);
}

void debugger_refresh(void) {
    refresh_tables(&heddle_debugger);
}

void debugger_event(uint32_t event, uint32_t task) {
    heddle_debugger.event = event;
    heddle_debugger.task = task;
    debugger_refresh();
    if (event == heddle_debugger.stop_at)
        stop(DEBUGGER_EVENT);
}

void debugger_found(const struct finding *finding) {
    static char text[FINDING_TEXT + 80];
    snprintf(text, sizeof text, "%s: %s", finding_info(finding->kind)->title, finding->text);
    heddle_debugger.text = text;
    heddle_debugger.task = finding->task;
    debugger_refresh();
    stop(DEBUGGER_FINDING);
}

void debugger_end(const char *text) {
    heddle_debugger.text = text;
    debugger_refresh();
    stop(DEBUGGER_END);
}
