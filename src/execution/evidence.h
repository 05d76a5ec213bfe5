/* evidence.h - what was learnt about a failing schedule by trying others. */
#ifndef EXECUTION_EVIDENCE_H
#define EXECUTION_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

/* What other schedules have shown about the schedule: see cli/commands/minimise.h. Events are
 * numbered from 1 here, as in reports; 0 means that it is not known. */
enum smallness {
    SMALLNESS_UNKNOWN, /* no smaller schedule was looked for */
    SMALLNESS_TRIED,   /* none was found before the budget ended */
    SMALLNESS_TRADED,  /* there is one with fewer context switches, but many more steps */
    SMALLNESS_PROVEN,  /* there is none with fewer context switches */
    SMALLNESSES
};

struct evidence {
    enum smallness smallness;
    uint32_t switches;       /* context switches of this schedule */
    uint32_t found_switches; /* context switches of the schedule that the search found first */
    uint32_t turn;           /* the first event after the one switch that matters */
    uint32_t turned;         /* the task whose steps that switch divides; NO_TASK: not known */
    uint32_t critical;       /* the event after which no execution passes */
    bool critical_within;    /* more exactly: after a choice within the step of that event */
    /* all continuations were tried; otherwise none of those that were tried passes */
    bool critical_proven;
    uint64_t tried; /* the number of executions for all of this */
};

#endif
