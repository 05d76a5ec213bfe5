/* wide.c - see cc/wide.h.
 *
 * ThreadSanitizer has functions for accesses of 1, 2, 4, 8 and 16 bytes. clang does not instrument
 * other sizes: a long double (10 bytes), a vector of 3 floats, a vector of 32 bytes. The LLVM code
 * shows the type of each load and store.
 *
 * Left out: accesses to a function's own variables, which other threads seldom see; and structures
 * and arrays that are loaded or stored as a whole, because clang makes them copies. */
#define _GNU_SOURCE
#include "cli/cc/wide.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

bool wide_possible(const char *text) {
    static const char *const words[] = {"long double", "vector_size", "ext_vector_type", "__m256",
                                        "__m512",      "_BitInt",     "_ExtInt",         NULL};
    for (uint32_t i = 0; words[i] != NULL; i++)
        if (strstr(text, words[i]) != NULL)
            return true;
    return false;
}

/* --- types --- */

static uint64_t scalar_bits(const char *text, size_t *length) {
    static const struct {
        const char *name;
        uint64_t bits;
    } types[] = {{"x86_fp80", 80}, {"fp128", 128}, {"double", 64}, {"float", 32},
                 {"bfloat", 16},   {"half", 16},   {"ptr", 64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        *length = strlen(types[i].name);
        if (strncmp(text, types[i].name, *length) == 0)
            return types[i].bits;
    }
    *length = 1 + strspn(text + (text[0] != '\0'), "0123456789");
    return text[0] == 'i' && *length > 1 ? (strtoull(text + 1, NULL, 10) + 7) / 8 * 8 : 0;
}

/* Returns the size of the type at the beginning of the text, or 0 if it is not one that matters. */
static uint64_t type_bits(const char *text) {
    uint64_t count = 1;
    size_t length;
    bool vector = text[0] == '<';
    if (vector) {
        char *end;
        count = strtoull(text + 1, &end, 10);
        if (strncmp(end, " x ", 3) != 0)
            return 0;
        text = end + 3;
    }
    uint64_t bits = scalar_bits(text, &length);
    if (text[length] == '*')
        bits = vector ? 64 : 0;
    return count * bits;
}

static bool is_instrumented(uint64_t bits) {
    return bits == 0 || bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

/* --- functions --- */

struct function {
    char name[1024];
    char *variables; /* its local variables: "%a %b " */
    size_t length;
    bool written;
};

static void begin_function(struct function *function, const char *line) {
    const char *at = strchr(line, '@');
    bool quoted = at != NULL && at[1] == '"';
    at = at != NULL ? at + 1 + quoted : "";
    snprintf(function->name, sizeof function->name, "%.*s", (int)strcspn(at, quoted ? "\"" : "("),
             at);
    function->length = 0;
    function->written = false;
}

static void add_variable(struct function *function, const char *at) {
    size_t length = strcspn(at, " ");
    function->variables = realloc(function->variables, function->length + length + 2);
    CHECK(function->variables);
    memcpy(function->variables + function->length, at, length);
    function->length += length;
    function->variables[function->length++] = ' ';
    function->variables[function->length] = '\0';
}

static bool is_own(const struct function *function, const char *name, size_t length) {
    const char *at = function->length > 0 ? function->variables : "";
    for (; *at != '\0'; at = strchr(at, ' ') + 1)
        if (strncmp(at, name, length) == 0 && at[length] == ' ')
            return true;
    return false;
}

/* The address of a load or store stands before its alignment. */
static bool is_own_access(const struct function *function, const char *access) {
    const char *end = strstr(access, ", align");
    const char *at = end != NULL ? end : access + strcspn(access, "\n");
    end = at;
    while (at > access && at[-1] != ' ')
        at--;
    return is_own(function, at, (size_t)(end - at));
}

static const char *type_of_access(const char *line) {
    const char *at = strstr(line, " = load ");
    at = at != NULL ? at + strlen(" = load ") : line + strspn(line, " ");
    if (at == line + strspn(line, " ") && strncmp(at, "store ", 6) != 0)
        return NULL;
    at += strncmp(at, "store ", 6) == 0 ? 6 : 0;
    at += strncmp(at, "volatile ", 9) == 0 ? 9 : 0;
    return at;
}

static bool is_wide_access(const struct function *function, const char *line) {
    const char *type = type_of_access(line);
    return type != NULL && !is_instrumented(type_bits(type)) && !is_own_access(function, type);
}

size_t wide_functions(FILE *code, FILE *names) {
    struct function function = {.written = true};
    char *line = NULL;
    size_t size = 0, count = 0;
    while (getline(&line, &size, code) > 0) {
        if (strncmp(line, "define ", 7) == 0)
            begin_function(&function, line);
        else if (strstr(line, " = alloca ") != NULL)
            add_variable(&function, line + strspn(line, " "));
        else if (!function.written && is_wide_access(&function, line)) {
            fwrite(function.name, 1, strlen(function.name) + 1, names);
            function.written = true;
            count++;
        }
    }
    free(function.variables);
    free(line);
    return count;
}
