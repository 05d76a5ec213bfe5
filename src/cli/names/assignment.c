/* assignment.c - see assignment.h. The text is searched for the one call that allocates. The text
 * before that call says where the result goes. */
#define _GNU_SOURCE
#include "cli/names/assignment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* Returns the place before the blanks that end at `at`. */
static const char *back_blanks(const char *from, const char *at) {
    while (at > from && isspace((unsigned char)at[-1]))
        at--;
    return at;
}

static const char *back_word(const char *from, const char *at) {
    while (at > from && in_word(at[-1]))
        at--;
    return at;
}

/* --- the call --- */

struct word {
    const char *start, *end;
};

static bool is_word(const struct word *word, const char *text) {
    size_t length = (size_t)(word->end - word->start);
    return strlen(text) == length && memcmp(word->start, text, length) == 0;
}

static bool contains(const struct word *word, const char *part) {
    size_t length = strlen(part);
    for (const char *at = word->start; at + length <= word->end; at++)
        if (strncasecmp(at, part, length) == 0)
            return true;
    return false;
}

static bool is_make(const struct word *word) {
    return is_word(word, "make_shared") || is_word(word, "make_unique");
}

/* Returns true for a word that allocates and is followed by what it allocates. */
static bool allocates(const struct word *word, const char *callee) {
    const char *next = skip_blanks(word->end);
    if (is_word(word, "new"))
        return in_word(*next) || *next == ':';
    if (is_make(word))
        return *next == '<';
    return *next == '(' && (is_word(word, callee) || contains(word, "alloc"));
}

/* Finds the only allocating call in the text. Returns false if there is none, or a second one. */
static bool find_call(const char *text, const char *callee, struct word *call) {
    int count = 0;
    for (const char *at = text; *at != '\0';) {
        if (!in_word(*at)) {
            at++;
            continue;
        }
        struct word word = {at, at};
        while (in_word(*word.end))
            word.end++;
        if (allocates(&word, callee)) {
            *call = word;
            count++;
        }
        at = word.end;
    }
    return count == 1;
}

/* --- the size that is asked for ------------------------------------------------------------- */

/* After `sizeof`, a star is not a multiplication. */
static const char *skip_sizeof(const char *at) {
    static const char SIZEOF[] = "sizeof";
    if (strncmp(at, SIZEOF, strlen(SIZEOF)) != 0)
        return at;
    at += strlen(SIZEOF);
    return at + strspn(at, " (*");
}

/* Returns false if the result is not used as it is: `malloc(n) + 16`. */
static bool read_arguments(const char *at, struct assignment *assignment) {
    int depth = 0;
    bool one = *at == '(' && strncmp(skip_blanks(at + 1), "1,", 2) == 0;
    for (; *at != '\0' && *at != ';'; at++) {
        at = skip_sizeof(at);
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        assignment->more |= *at == '+';
        assignment->array |= *at == '*' || *at == ',' || *at == '[';
        if (*at == '\0' || depth < 0 || (depth == 0 && strchr(")}", *at) != NULL))
            break;
    }
    if (one)
        assignment->array = false;
    const char *next = *at ? skip_blanks(at + 1) : at;
    return *next == '\0' || strchr(";,)}=!|&", *next) != NULL;
}

/* --- the target of the assignment ----------------------------------------------------------- */

/* Skips casts and the scope of the name backwards: `(struct a *)`, `std::`. */
static const char *before_casts(const char *text, const char *at) {
    at = back_blanks(text, at);
    while (at - text >= 2 && at[-1] == ':' && at[-2] == ':')
        at = back_blanks(text, back_word(text, at - 2));
    while (at > text && at[-1] == ')') {
        const char *inside = at - 1;
        while (inside > text && (in_word(inside[-1]) || strchr(" *", inside[-1]) != NULL))
            inside--;
        if (inside == text || inside[-1] != '(')
            return NULL;
        at = back_blanks(text, inside - 1);
    }
    return at;
}

static bool add_step(struct assignment *assignment, int kind, const char *start, const char *end) {
    if (assignment->step_count == ASSIGNMENT_STEPS || end - start >= ASSIGNMENT_WORD)
        return false;
    struct assignment_step *steps = assignment->steps;
    memmove(steps + 1, steps, (size_t)assignment->step_count * sizeof *steps);
    steps[0].kind = kind;
    snprintf(steps[0].member, sizeof steps[0].member, "%.*s", (int)(end - start), start);
    assignment->step_count++;
    return true;
}

/* Reads from the end of `pool->slots[i]` to its beginning. */
static bool read_target(const char *text, const char *end, struct assignment *assignment) {
    const char *at = end;
    for (;;) {
        if (at > text && at[-1] == ']') {
            const char *close = at;
            while (at > text && at[-1] != '[')
                at--;
            if (at == text || memchr(at, ']', (size_t)(close - 1 - at)) != NULL ||
                !add_step(assignment, STEP_INDEX, at, at))
                return false;
            at--;
            continue;
        }
        const char *start = back_word(text, at);
        if (start == at || isdigit((unsigned char)*start))
            return false;
        bool arrow = start - text >= 2 && start[-2] == '-' && start[-1] == '>';
        bool dot = start > text && start[-1] == '.';
        if (!arrow && !dot) {
            snprintf(assignment->variable, sizeof assignment->variable, "%.*s", (int)(at - start),
                     start);
            snprintf(assignment->text, sizeof assignment->text, "%.*s", (int)(end - start), start);
            return at - start < ASSIGNMENT_WORD && end - start < ASSIGNMENT_TEXT &&
                   (start == text || start[-1] != ':');
        }
        if (!add_step(assignment, arrow ? STEP_ARROW : STEP_DOT, start, at))
            return false;
        at = start - (arrow ? 2 : 1);
    }
}

/* `*to = malloc(8)` dereferences a pointer. In a declaration a type stands before the star. */
static bool is_dereferenced(const char *text, const char *start) {
    const char *at = back_blanks(text, start);
    if (at == text || at[-1] != '*')
        return false;
    while (at > text && (at[-1] == '*' || isspace((unsigned char)at[-1])))
        at--;
    if (at == text || (!in_word(at[-1]) && at[-1] != '>'))
        return true;
    const char *word = back_word(text, at);
    return at - word == 6 && memcmp(word, "return", 6) == 0;
}

/* `name(new T)`, `name.reset(new T)`. */
static const char *target_of_constructor(const char *text, const char *at, bool by_new) {
    static const char RESET[] = ".reset";
    if (!by_new || at == text || strchr("({", at[-1]) == NULL)
        return NULL;
    at = back_blanks(text, at - 1);
    size_t length = strlen(RESET);
    if ((size_t)(at - text) > length && memcmp(at - length, RESET, length) == 0)
        at -= length;
    return at;
}

static const char *target_end(const char *text, const char *call, bool by_new) {
    const char *at = before_casts(text, call);
    if (at == NULL || at == text)
        return NULL;
    if (at[-1] != '=')
        return target_of_constructor(text, at, by_new);
    if (at - 1 == text || strchr("=!<>+-*/|&^%", at[-2]) != NULL)
        return NULL;
    return back_blanks(text, at - 1);
}

/* Reads the type after `new` and similar functions: `T`, `T(x)`, `T[n]`, `<T>(x)`, `<T[]>(n)`. */
static void read_new(const char *at, struct assignment *assignment) {
    assignment->array = memchr(at, '[', strcspn(at, "({;")) != NULL;
}

bool assignment_read(const char *statement, const char *callee, struct assignment *assignment) {
    struct word call = {NULL, NULL};
    memset(assignment, 0, sizeof *assignment);
    if (!find_call(statement, callee, &call))
        return false;
    assignment->by_new = is_word(&call, "new") || is_make(&call);
    assignment->make_shared = is_word(&call, "make_shared");
    if (assignment->by_new)
        read_new(call.end, assignment);
    else if (!read_arguments(skip_blanks(call.end), assignment))
        return false;
    const char *end = target_end(statement, call.start, assignment->by_new);
    return end != NULL && read_target(statement, end, assignment) &&
           !is_dereferenced(statement, end - strlen(assignment->text));
}
