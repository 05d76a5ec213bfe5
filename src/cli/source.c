/* source.c - see source.h. Very large files are not read: their lines stay empty. */
#define _GNU_SOURCE
#include "cli/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum { BYTES_MAX = 16 << 20, TEXT_MAX = 160 };

struct source_file {
    struct source_file *next;
    char *path;
    char *text; /* NULL: cannot be read */
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

static const struct source_file *find(struct source_files *files, const char *path) {
    for (struct source_file *file = files->first; file != NULL; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file;
    struct source_file *file = calloc(1, sizeof *file);
    CHECK(file);
    file->path = strdup(path);
    CHECK(file->path);
    file->text = read_file(path);
    file->next = files->first;
    files->first = file;
    return file;
}

/* Where it begins, or NULL. */
static const char *find_line(struct source_files *files, const char *path, uint32_t line) {
    const char *at = line ? find(files, path)->text : NULL;
    for (uint32_t i = 1; at != NULL && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at != NULL && *at ? at : NULL;
}

/* Without the blanks at its end, and cut where it is very long. */
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
