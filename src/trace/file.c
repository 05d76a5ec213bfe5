/* file.c - see file.h. The whole text is built, or read, in memory: a trace of 100,000 events has
 * about 10 MB. */
#define _GNU_SOURCE
#include "trace/file.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "trace/file_records.h"
#include "trace/whole_file.h"

static const char MAGIC[] = "heddle-trace ";
enum { OLDEST_VERSION = 1, FORMAT_VERSION = 2, END_LENGTH = 21 /* "end\t", 16 digits, newline */ };

__attribute__((format(printf, 3, 4))) static bool fail(char *error, size_t size, const char *format,
                                                       ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return false;
}

/* --- writing --- */

static char *format_trace(const struct trace *trace, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    CHECK(out);
    fprintf(out, "%s%d\n", MAGIC, FORMAT_VERSION);
    records_write(trace, out);
    CHECK(fflush(out) == 0);
    fprintf(out, "end\t%016llx\n", (unsigned long long)XXH64(text, *length, 0));
    CHECK(fclose(out) == 0);
    return text;
}

bool trace_write(const struct trace *trace, const char *path, char *error, size_t size) {
    size_t length = 0;
    char *text = format_trace(trace, &length);
    bool ok = whole_file_write(path, text, length, error, size);
    free(text);
    return ok;
}

/* --- reading --- */

/* Reads the file and appends a zero byte. A file that is no trace is not read to its end, because
 * it may have no end. */
static char *read_bytes(const char *path, size_t *length, char *error, size_t size) {
    FILE *file = fopen(path, "re");
    struct stat status;
    char *bytes = NULL;
    size_t capacity = 1 << 16;
    *length = 0;
    if (file == NULL || fstat(fileno(file), &status) != 0 || S_ISDIR(status.st_mode)) {
        fail(error, size, "%s: %s", path, file ? "is a directory" : strerror(errno));
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    do {
        capacity *= 2;
        bytes = realloc(bytes, capacity);
        CHECK(bytes);
        *length += fread(bytes + *length, 1, capacity - 1 - *length, file);
    } while (*length == capacity - 1 && strncmp(bytes, MAGIC, strlen(MAGIC)) == 0);
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

/* Accepts a file that ends within its first line. check_end() will say that it is cut off. */
static bool check_version(const char *text, size_t length, const char *path, char *error,
                          size_t size) {
    size_t magic = strlen(MAGIC);
    size_t digits = strncmp(text, MAGIC, magic) == 0 ? strspn(text + magic, "0123456789") : 0;
    const char *after = text + magic + digits;
    if (digits == 0 || (*after != '\n' && after != text + length))
        return fail(error, size, "%s: not a trace of Heddle", path);
    int version = digits > 9 ? INT_MAX : atoi(text + magic);
    if (*after && (version < OLDEST_VERSION || version > FORMAT_VERSION))
        return fail(error, size, "%s: trace format %.*s; this Heddle reads %d to %d", path,
                    digits > 9 ? 9 : (int)digits, text + magic, OLDEST_VERSION, FORMAT_VERSION);
    return true;
}

/* On success, *length does not include the last line. */
static bool check_end(const char *text, size_t *length, const char *path, char *error,
                      size_t size) {
    const char *end = text + *length - END_LENGTH;
    if (*length <= END_LENGTH || end[-1] != '\n' || strncmp(end, "end\t", 4) != 0 ||
        text[*length - 1] != '\n')
        return fail(error, size, "%s: cut off: the trace has no end line", path);
    *length -= END_LENGTH;
    char expected[END_LENGTH + 1];
    snprintf(expected, sizeof expected, "end\t%016llx\n",
             (unsigned long long)XXH64(text, *length, 0));
    if (strcmp(expected, end) != 0)
        return fail(error, size, "%s: garbled: the checksum does not match", path);
    return true;
}

static bool read_lines(struct trace *trace, char *text, size_t length, const char *path,
                       char *error, size_t size) {
    unsigned line = 1;
    text[length] = '\0';
    for (char *at = strchr(text, '\n') + 1; at < text + length; line++) {
        char *end = memchr(at, '\n', (size_t)(text + length - at));
        *end = '\0';
        if (strlen(at) != (size_t)(end - at) || !records_read(trace, at))
            return fail(error, size, "%s: malformed line %u", path, line + 1);
        at = end + 1;
    }
    if (!records_valid(trace))
        return fail(error, size, "%s: malformed: a record is missing", path);
    trace_sort(trace);
    return true;
}

bool trace_read(struct trace *trace, const char *path, char *error, size_t size) {
    size_t length;
    trace_init(trace);
    char *text = read_bytes(path, &length, error, size);
    if (text == NULL)
        return false;
    bool ok = check_version(text, length, path, error, size) &&
              check_end(text, &length, path, error, size) &&
              read_lines(trace, text, length, path, error, size);
    free(text);
    return ok;
}
