/* assembly.c - see cc/assembly.h.
 *
 * An instruction accesses memory if it has an operand with parentheses or brackets, or a bare
 * symbol, or if it is a string instruction. Accesses to the function's own frame (%rsp, and %rbp if
 * it is the frame pointer) do not count: these operands are local variables. Instructions that only
 * compute addresses, jump or prefetch do not count either. */
#define _GNU_SOURCE
#include "cli/cc/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- is there inline assembly? -------------------------------------------------------------- */

static bool is_word_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool begins_assembly(const char *at, const char *end, bool named) {
    static const char *const qualifiers[] = {"volatile", "__volatile", "goto", "inline"};
    while (at < end && *at == '_')
        at++;
    while (at < end && isspace((unsigned char)*at))
        at++;
    if (at < end && *at == '(')
        return !named;
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
        size_t length = strlen(qualifiers[i]);
        if ((size_t)(end - at) >= length && strncmp(at, qualifiers[i], length) == 0)
            return true;
    }
    return false;
}

bool assembly_possible(const char *text, size_t size, bool named) {
    const char *end = text + size, *at = text;
    while ((at = memmem(at, (size_t)(end - at), "asm", 3)) != NULL) {
        const char *start = at;
        while (start > text && start[-1] == '_')
            start--;
        at += 3;
        if ((start == text || !is_word_part(start[-1])) && begins_assembly(at, end, named))
            return true;
    }
    return false;
}

/* --- does it access memory? ----------------------------------------------------------------- */

struct reader {
    char *function; /* the current function, or NULL before the first one */
    bool inside;    /* the reader is inside of inline assembly */
    bool frame;     /* %rbp is the frame pointer */
    bool named;     /* the name of the function has been written */
    size_t count;
    FILE *names;
};

static void begin_function(struct reader *reader, const char *name, size_t length) {
    free(reader->function);
    reader->function = strndup(name, length);
    reader->frame = reader->named = false;
}

static bool starts_with_one_of(const char *text, const char *const *list) {
    for (; *list; list++)
        if (strncmp(text, *list, strlen(*list)) == 0)
            return true;
    return false;
}

static bool is_string_instruction(const char *mnemonic, size_t length) {
    static const char *const names[] = {"movs", "stos", "lods", "cmps", "scas"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length <= 5 && length >= 4 && strncmp(mnemonic, names[i], 4) == 0)
            return true;
    return false;
}

static bool is_own_frame(const struct reader *reader, const char *operand) {
    return strstr(operand, "(%rsp") != NULL || (reader->frame && strstr(operand, "(%rbp") != NULL);
}

/* Takes one operand, or the rest of the operands if there are parentheses with commas in them. */
static bool is_memory(const struct reader *reader, const char *operand) {
    while (*operand == ' ' || *operand == '\t' || *operand == '*')
        operand++;
    if (strpbrk(operand, "([") != NULL)
        return !is_own_frame(reader, operand);
    return *operand == '_' || isalpha((unsigned char)*operand) ||
           strncmp(operand, "%fs:", 4) == 0 || strncmp(operand, "%gs:", 4) == 0;
}

/* Operands are separated by commas outside of parentheses. */
static bool any_memory(const struct reader *reader, char *operands) {
    int depth = 0;
    char *start = operands;
    for (char *at = operands;; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (*at != '\0' && (*at != ',' || depth > 0))
            continue;
        bool last = *at == '\0';
        *at = '\0';
        if (*start && is_memory(reader, start))
            return true;
        if (last)
            return false;
        start = at + 1;
    }
}

/* Takes one instruction, without its label. */
static bool accesses_memory(const struct reader *reader, char *statement) {
    static const char *const prefixes[] = {"lock ",  "rep ",   "repe ", "repz ",
                                           "repne ", "repnz ", NULL};
    static const char *const harmless[] = {"lea", "nop",  "prefetch", "j",     "call", "loop",
                                           "ret", "push", "pop",      "pause", NULL};
    while (starts_with_one_of(statement, prefixes))
        for (statement += strcspn(statement, " "); *statement == ' ';)
            statement++;
    size_t length = strcspn(statement, " \t");
    if (length == 0 || statement[0] == '.' || starts_with_one_of(statement, harmless))
        return false;
    char *operands = statement + length + strspn(statement + length, " \t");
    return (is_string_instruction(statement, length) && strncmp(operands, "%xmm", 4) != 0) ||
           any_memory(reader, operands);
}

static void note(struct reader *reader) {
    if (reader->named)
        return;
    reader->named = true;
    reader->count++;
    fprintf(reader->names, "%s%c", reader->function ? reader->function : "assembly", '\0');
}

/* Reads a line of inline assembly: statements separated by semicolons, each of which may follow a
 * label. */
static void read_inline(struct reader *reader, char *line) {
    char *rest = line, *statement;
    line[strcspn(line, "#\n")] = '\0';
    while ((statement = strsep(&rest, ";")) != NULL) {
        statement += strspn(statement, " \t");
        size_t label = strcspn(statement, ": \t,(");
        if (statement[label] == ':' && label > 0) {
            if (!isdigit((unsigned char)*statement) && *statement != '.')
                begin_function(reader, statement, label);
            statement += label + 1;
            statement += strspn(statement, " \t");
        }
        if (accesses_memory(reader, statement))
            note(reader);
    }
}

/* Reads a line of the compiler. A function begins with "\t.type\tname, @function". */
static void read_compiled(struct reader *reader, char *line) {
    static const char TYPE[] = ".type", FRAME[] = "movq\t%rsp, %rbp";
    line += strspn(line, " \t");
    if (strncmp(line, TYPE, strlen(TYPE)) == 0 && strstr(line, "@function") != NULL) {
        line += strlen(TYPE);
        line += strspn(line, " \t");
        begin_function(reader, line, strcspn(line, ", "));
    } else if (strncmp(line, FRAME, strlen(FRAME)) == 0)
        reader->frame = true;
}

size_t assembly_functions(FILE *assembly, FILE *names) {
    struct reader reader = {.names = names};
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, assembly) >= 0) {
        char *text = line + strspn(line, " \t");
        if (strncmp(text, "#APP", 4) == 0)
            reader.inside = true;
        else if (strncmp(text, "#NO_APP", 7) == 0)
            reader.inside = false;
        else if (reader.inside)
            read_inline(&reader, line);
        else
            read_compiled(&reader, line);
    }
    free(line);
    free(reader.function);
    return reader.count;
}
