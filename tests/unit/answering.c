/* answering.c - see answering.h. */
#include "unit/answering.h"

#include <string.h>

#include "base/check.h"

static uint32_t answer(struct host *base, enum choice_tag tag, uint32_t task, uint32_t count) {
    struct answering *host = (struct answering *)base;
    (void)tag, (void)task;
    CHECK(host->asked < ANSWERS);
    host->counts[host->asked] = count;
    return host->answers[host->asked++] % count;
}

static struct event *event(struct host *base, uint32_t task, const struct op *op) {
    struct answering *host = (struct answering *)base;
    host->event = (struct event){.op = *op, .task = task};
    return &host->event;
}

static void happened(struct host *base, struct event *event) {
    (void)base, (void)event;
}

static void accessed(struct host *base, uint32_t task, uint64_t address, uint32_t size,
                     enum plain_access what, uint64_t pc) {
    (void)base, (void)task, (void)address, (void)size, (void)what, (void)pc;
}

static void found(struct host *base, const struct finding *finding) {
    (void)base, (void)finding;
}

void answering_init(struct answering *host) {
    static const struct host_ops ops = {
        .choose = answer, .event = event, .happened = happened, .access = accessed, .found = found};
    *host = (struct answering){.base.ops = &ops};
}

void answers_first(struct answering *host) {
    memset(host->answers, 0, sizeof host->answers);
    host->asked = 0;
}

bool answers_next(struct answering *host) {
    uint32_t i = host->asked;
    while (i-- > 0) {
        if (++host->answers[i] < host->counts[i]) {
            memset(host->answers + i + 1, 0, (ANSWERS - i - 1) * sizeof *host->answers);
            host->asked = 0;
            return true;
        }
    }
    return false;
}
