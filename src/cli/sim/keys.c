/* keys.c - see keys.h. The keys of the main view stand in one table, from which the help is
 * made. */
#define _GNU_SOURCE
#include "cli/sim/keys.h"

#include <curses.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/check.h"
#include "cli/sim/typing.h"
#include "reports/describe.h"

#define CONTROL(letter) ((letter) - '@')
enum { ESCAPE = 27 };

/* --- moving --- */

static void do_move(struct simulation *self, int key) {
    (void)key;
    if (self->view.history)
        model_back(&self->model, model_decision_of(&self->model, self->view.event));
    else
        model_move(&self->model);
    self->view.history = false;
}

static void do_digit(struct simulation *self, int key) {
    uint32_t number = (uint32_t)(key - '0');
    self->view.history = false;
    if (!model_selects_tasks(&self->model) || model_task(&self->model, number) != NULL) {
        self->model.selected = number;
        model_move(&self->model);
    } else {
        model_say(&self->model, "there is no T%" PRIu32 " now", number);
    }
}

static void do_back(struct simulation *self, int key) {
    (void)key;
    if (self->model.line.at == 0)
        model_say(&self->model, "this is the beginning");
    else
        model_back(&self->model, self->model.line.at - 1);
}

static void do_beginning(struct simulation *self, int key) {
    (void)key;
    model_back(&self->model, 0);
}

static void do_forward(struct simulation *self, int key) {
    (void)key;
    model_forward(&self->model);
}

static void do_run(struct simulation *self, int key) {
    (void)key;
    model_run(&self->model, &(struct goal){.kind = GOAL_END});
}

/* Makes all undone steps again. */
static void do_forward_all(struct simulation *self, int key) {
    const struct line *line = &self->model.line;
    struct goal goal = {.kind = GOAL_STEPS};
    (void)key;
    for (uint32_t i = line->at; i < line->count; i++)
        goal.steps += line->decisions[i].tag == CHOICE_SCHEDULE;
    if (goal.steps > 0)
        model_run(&self->model, &goal);
    else
        model_forward(&self->model);
}

/* --- selecting --- */

static void select_step(struct simulation *self, int64_t lines) {
    int64_t last = (int64_t)model_execution(&self->model)->event_count - 1;
    int64_t wanted = (int64_t)self->view.event + lines;
    wanted = wanted > last ? last : wanted;
    self->view.event = wanted > 0 ? (uint32_t)wanted : 0;
}

static void do_select(struct simulation *self, int key) {
    int direction = key == KEY_DOWN || key == 'j' ? 1 : -1;
    if (self->view.history)
        select_step(self, direction);
    else
        model_select(&self->model, direction);
}

static void do_page(struct simulation *self, int key) {
    int rows = self->view.history_rows > 1 ? self->view.history_rows - 1 : 1;
    if (!self->view.history)
        self->view.event = model_execution(&self->model)->event_count - 1;
    self->view.history = model_execution(&self->model)->event_count > 0;
    select_step(self, key == KEY_NPAGE ? rows : -rows);
}

static void do_history(struct simulation *self, int key) {
    uint32_t events = model_execution(&self->model)->event_count;
    (void)key;
    self->view.history = !self->view.history && events > 0;
    self->view.event = events > 0 ? events - 1 : 0;
}

/* --- looking --- */

void keys_show_report(struct simulation *self) {
    self->model.news = false;
    view_show_text(&self->view, " What was found", save_report(&self->saver, &self->model), COLS);
}

static void do_report(struct simulation *self, int key) {
    (void)key;
    if (*self->model.dialogue->finding_count > 0)
        keys_show_report(self);
    else
        model_say(&self->model, "nothing was found up to here");
}

static void do_stacks(struct simulation *self, int key) {
    const struct dialogue *dialogue = self->model.dialogue;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    (void)key;
    for (uint32_t i = 0; i < dialogue->live_count; i++) {
        const struct dialogue_task *task = &dialogue->live[i];
        const struct stack_view stack = names_task_stack(task);
        names_know_op(&self->model.names, &task->op);
        describe_task(&self->model.names.trace, task->task, out);
        fputs(" before ", out);
        describe_op(&self->model.names.trace, &task->op, out);
        fputs(": ", out);
        model_print_state(&self->model, task, out);
        fputc('\n', out);
        names_print_stack(&self->model.names, &stack, out);
    }
    CHECK(fclose(out) == 0);
    view_show_text(&self->view, " Where the tasks stand", text, COLS);
}

static void do_help(struct simulation *self, int key);

/* --- asking --- */

static void do_run_to(struct simulation *self, int key) {
    (void)key;
    view_prompt(&self->view, PROMPT_RUN, "");
}

static void do_break(struct simulation *self, int key) {
    (void)key;
    view_prompt(&self->view, PROMPT_BREAK, "");
}

static void do_breakpoints(struct simulation *self, int key) {
    (void)key;
    self->view.mode = VIEW_BREAKPOINTS;
    self->view.breakpoint = 0;
}

static void do_save(struct simulation *self, int key) {
    char path[PROMPT_SIZE];
    (void)key;
    save_propose(&self->saver, path, sizeof path);
    view_prompt(&self->view, PROMPT_SAVE, path);
}

static void do_debug(struct simulation *self, int key) {
    (void)key;
    save_debug(&self->saver, &self->model);
}

static void do_quit(struct simulation *self, int key) {
    (void)key;
    self->quit = true;
}

/* --- the table --- */

struct key {
    int keys[4]; /* ends with 0 */
    void (*act)(struct simulation *self, int key);
    const char *name, *help;
};

#define MORE "\n                 "

static const struct key table[] = {
    {{'\r', '\n', KEY_ENTER, ' '},
     do_move,
     "Enter, Space",
     "move the selected task, or take the selected option;" MORE
     "in the history: go back to before the selected step"},
    {{KEY_UP, KEY_DOWN, 'k', 'j'}, do_select, "Up, Down, k, j", "select"},
    {{'u', KEY_BACKSPACE, 127, CONTROL('H')}, do_back, "u, Backspace", "back one step"},
    {{'f', KEY_RIGHT},
     do_forward,
     "f, Right",
     "make one undone step again, or one step of the trace"},
    {{'F', KEY_END}, do_forward_all, "F, End", "all of that"},
    {{'g', KEY_HOME}, do_beginning, "g, Home", "back to the beginning"},
    {{'c'},
     do_run,
     "c",
     "run on from the selected task: along the undone steps, then" MORE
     "in turn; to a breakpoint, a finding or the end." MORE "Any key stops the run"},
    {{'r'}, do_run_to, "r", "run to: a number of steps, `end`, or words as for b"},
    {{'b'},
     do_break,
     "b",
     "a breakpoint: runs stop before operations with all these words:" MORE
     "a task (T1, worker), a kind (lock), an object (queue.*)," MORE
     "a place (queue.c:12, :12, push)"},
    {{'B'}, do_breakpoints, "B", "the breakpoints: delete them"},
    {{'\t', 'h'}, do_history, "Tab, h", "to the history and back"},
    {{KEY_PPAGE, KEY_NPAGE}, do_page, "PgUp, PgDn", "through the history"},
    {{'w'}, do_stacks, "w", "the stacks of all tasks"},
    {{'i'}, do_report, "i", "the report of the finding"},
    {{'s'}, do_save, "s", "save the schedule as a trace, for heddle replay"},
    {{'d'}, do_debug, "d", "show this state in gdb"},
    {{'?'}, do_help, "?", "this text"},
    {{'q', CONTROL('C')}, do_quit, "q, Ctrl-C", "quit"},
};
enum { KEYS = sizeof table / sizeof *table };

static void do_help(struct simulation *self, int key) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    (void)key;
    fprintf(out, "  %-14s %s\n", "0 to 9", "move the task of that number, or take that option");
    for (size_t i = 0; i < KEYS; i++)
        fprintf(out, "  %-14s %s\n", table[i].name, table[i].help);
    fputs("\nThe list of tasks: > is selected, * has moved last.\n", out);
    CHECK(fclose(out) == 0);
    view_show_text(&self->view, " Keys", text, COLS);
}

static void take_in_state(struct simulation *self, int key) {
    if (key == KEY_RESIZE) /* the screen is drawn again, and nothing else happens */
        return;
    self->model.message[0] = '\0';
    if (key >= '0' && key <= '9') {
        do_digit(self, key);
        return;
    }
    for (size_t i = 0; i < KEYS; i++)
        for (size_t k = 0; k < 4 && table[i].keys[k] != 0; k++)
            if (table[i].keys[k] == key) {
                table[i].act(self, key);
                return;
            }
    if (key == ESCAPE)
        self->view.history = false;
    else
        model_say(&self->model, "this key does nothing; ? lists the keys");
}

void keys_take(struct simulation *self, int key) {
    switch (self->view.mode) {
    case VIEW_STATE: take_in_state(self, key); break;
    case VIEW_TEXT: typing_in_text(self, key); break;
    case VIEW_PROMPT: typing_in_prompt(self, key); break;
    case VIEW_BREAKPOINTS: typing_in_breakpoints(self, key); break;
    }
}
