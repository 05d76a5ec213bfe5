/* source.c - see source.h. Very large files are not read: their lines stay empty. The beginnings of
 * all lines of a file are computed once, because hundreds of lines are needed. */
#define _GNU_SOURCE
#include "cli/names/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum { BYTES_MAX = 16 << 20, TEXT_MAX = 160 };

struct source_file {
    struct source_file *next;
    char *path;
    char *text;       /* NULL if the file cannot be read */
    uint32_t *starts; /* the beginnings of its lines */
    uint32_t count;
};

struct source_files {
    struct source_file *first;
    char line[TEXT_MAX];
};

struct source_files *source_create(void) {
    struct source_files *files = calloc(1, sizeof *files);
    CHECK(files);
    return files;
}

void source_destroy(struct source_files *files) {
    for (struct source_file *file = files->first, *next; file != NULL; file = next) {
        next = file->next;
        free(file->path);
        free(file->text);
        free(file->starts);
        free(file);
    }
    free(files);
}

static char *read_file(const char *path) {
    FILE *file = path[0] ? fopen(path, "re") : NULL;
    if (file == NULL)
        return NULL;
    char *text = malloc(BYTES_MAX + 1);
    CHECK(text);
    size_t length = fread(text, 1, BYTES_MAX + 1, file);
    fclose(file);
    if (length > BYTES_MAX) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    char *smaller = realloc(text, length + 1);
    return smaller ? smaller : text;
}

static void find_starts(struct source_file *file) {
    uint32_t lines = 0;
    for (const char *at = file->text; at != NULL; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
        lines++;
    file->starts = calloc((size_t)lines + 1, sizeof *file->starts);
    CHECK(file->starts);
    for (const char *at = file->text; at != NULL; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
        file->starts[file->count++] = (uint32_t)(at - file->text);
}

static const struct source_file *find(struct source_files *files, const char *path) {
    for (struct source_file *file = files->first; file != NULL; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file;
    struct source_file *file = calloc(1, sizeof *file);
    CHECK(file);
    file->path = strdup(path);
    CHECK(file->path);
    file->text = read_file(path);
    find_starts(file);
    file->next = files->first;
    files->first = file;
    return file;
}

/* Returns the beginning of a line, or NULL. */
static const char *find_line(struct source_files *files, const char *path, uint32_t line) {
    const struct source_file *file = line ? find(files, path) : NULL;
    if (file == NULL || line > file->count)
        return NULL;
    const char *at = file->text + file->starts[line - 1];
    return *at ? at : NULL;
}

/* Copies a line without the blanks at its end, and cuts it if it is very long. */
static const char *keep_line(struct source_files *files, const char *at) {
    size_t length = strcspn(at, "\r\n");
    while (length > 0 && strchr(" \t", at[length - 1]))
        length--;
    if (length >= sizeof files->line)
        length = sizeof files->line - 1;
    memcpy(files->line, at, length);
    files->line[length] = '\0';
    return files->line;
}

const char *source_text(struct source_files *files, const char *path, uint32_t line) {
    const char *at = find_line(files, path, line);
    return at ? keep_line(files, at) : NULL;
}

const char *source_line(struct source_files *files, const char *path, uint32_t line) {
    const char *at = find_line(files, path, line);
    return at ? keep_line(files, at + strspn(at, " \t")) : "";
}
