/* junit.c - see junit.h. The elements and attributes are those that Jenkins' schema (junit-10.xsd)
 * and GitLab know. */
#include "reports/junit.h"

#include <inttypes.h>

#include "reports/utf8.h"
#include "trace/trace.h"

/* XML 1.0 cannot have most control characters, not even escaped. */
static bool is_allowed(uint32_t character) {
    return character >= 0x20 ? character != 0xfffe && character != 0xffff && character != 0x7f
                             : character == '\t' || character == '\n' || character == '\r';
}

/* Writes text for an attribute or for the body of an element. Ends of lines are kept; in an
 * attribute they must be references, since a reader would turn them into blanks. */
static void put_xml(const char *text, bool attribute, FILE *out) {
    while (*text != '\0') {
        uint32_t character = utf8_next(&text);
        if (character == '&')
            fputs("&amp;", out);
        else if (character == '<')
            fputs("&lt;", out);
        else if (character == '>')
            fputs("&gt;", out);
        else if (character == '"')
            fputs("&quot;", out);
        else if (character == '\r' || (attribute && (character == '\n' || character == '\t')))
            fprintf(out, "&#%" PRIu32 ";", character);
        else
            utf8_put(is_allowed(character) ? character : UTF8_REPLACEMENT, out);
    }
}

static void put_attribute(const char *name, const char *value, FILE *out) {
    fprintf(out, " %s=\"", name);
    put_xml(value, true, out);
    fputc('"', out);
}

static void put_property(const char *name, const char *value, FILE *out) {
    fputs("      <property", out);
    put_attribute("name", name, out);
    put_attribute("value", value, out);
    fputs("/>\n", out);
}

static void put_count(const char *name, uint64_t count, FILE *out) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    put_property(name, text, out);
}

static void put_properties(const struct ending *ending, FILE *out) {
    fputs("    <properties>\n", out);
    put_property("heddle", ending->version, out);
    put_property("program", ending->program, out);
    put_property("verdict", ending->verdict, out);
    put_property("message", ending->sentence, out);
    put_property("strategy", ending->strategy, out);
    for (uint32_t i = 0; i < ending->count_count; i++)
        put_count(ending->counts[i].name, ending->counts[i].count, out);
    put_count("suppressed", ending->suppressed->count, out);
    for (uint32_t i = 0; i < ending->findings->count; i++)
        put_property("fingerprint", ending->findings->at[i].fingerprint, out);
    fputs("    </properties>\n", out);
}

/* "data race at queue.c:31: read of 4 bytes races with ..." */
static void put_message(const struct reported *finding, FILE *out) {
    put_xml(finding_info(finding->kind)->title, true, out);
    if (finding->file[0]) {
        fputs(" at ", out);
        put_xml(trace_basename(finding->file), true, out);
        fprintf(out, ":%" PRIu32, finding->line);
    }
    fputs(": ", out);
    put_xml(finding->message, true, out);
}

/* The message has the first finding and the number of the others; the body has all reports. */
static void put_failure(const struct ending *ending, FILE *out) {
    const struct reported *first = &ending->findings->at[0];
    fputs("      <failure message=\"", out);
    put_message(first, out);
    if (ending->findings->count > 1)
        fprintf(out, " (and %" PRIu32 " more)", ending->findings->count - 1);
    fputc('"', out);
    put_attribute("type", finding_info(first->kind)->name, out);
    fputc('>', out);
    for (uint32_t i = 0; i < ending->findings->count; i++) {
        fputs(i > 0 ? "\n" : "", out);
        put_xml(ending->findings->at[i].report, false, out);
    }
    fputs("</failure>\n", out);
}

static void put_instead(const char *element, const struct ending *ending, FILE *out) {
    fprintf(out, "      <%s", element);
    put_attribute("type", ending->verdict, out);
    put_attribute("message", ending->sentence, out);
    fputs("/>\n", out);
}

/* The case is named after the command, so that a CI server finds its history again. */
static void put_case(const struct ending *ending, FILE *out) {
    const char *name = trace_basename(ending->program);
    fputs("    <testcase", out);
    put_attribute("classname", "heddle", out);
    fputs(" name=\"", out);
    put_xml(name, true, out);
    for (char *const *word = ending->arguments + 1; ending->arguments[0] && *word; word++) {
        fputc(' ', out);
        put_xml(*word, true, out);
    }
    fprintf(out, "\" time=\"%.3f\">\n", ending->seconds);
    if (ending->kind == ENDING_FAILED && ending->findings->count > 0)
        put_failure(ending, out);
    else if (ending->kind == ENDING_UNDECIDED)
        put_instead("skipped", ending, out);
    else if (ending->kind != ENDING_PASSED)
        put_instead("error", ending, out);
    fputs("    </testcase>\n", out);
}

bool junit_write(const struct ending *ending, FILE *out) {
    bool failed = ending->kind == ENDING_FAILED && ending->findings->count > 0;
    bool skipped = ending->kind == ENDING_UNDECIDED;
    bool error = !failed && !skipped && ending->kind != ENDING_PASSED;
    char when[32];
    struct tm parts;
    gmtime_r(&ending->started, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", out);
    put_attribute("name", trace_basename(ending->program), out);
    fprintf(out, " tests=\"1\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\"", failed,
            error, skipped, ending->seconds);
    put_attribute("timestamp", when, out);
    fputs(">\n", out);
    put_properties(ending, out);
    put_case(ending, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    return !ferror(out) && fflush(out) == 0;
}
