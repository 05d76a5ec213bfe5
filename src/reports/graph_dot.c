/* graph_dot.c - see graph.h: what is drawn, in the language of Graphviz.
 *
 * The first child of a box is drawn straight on, the others beside it, in the order of exploration.
 * The picture grows downwards, or to the right if it is folded, since it has many leaves then. Each
 * box has a class (step, complete, found, short, left-out), and each arrow of a race has the class
 * race, for style sheets of an SVG and for tests. */
#include <inttypes.h>
#include <string.h>

#include "reports/graph.h"

/* The look of the boxes of one kind. */
struct look {
    const char *class, *shape, *fill, *line, *text;
};

static const struct look looks[] = {
    [GRAPH_START] = {"start", "ellipse", "#ffffff", "#808080", "#404040"},
    [GRAPH_STEP] = {"step", "box", "#ffffff", "#808080", "#000000"},
    [GRAPH_COMPLETE] = {"complete", "box", "#d8f0d8", "#2e7d32", "#1b5e20"},
    [GRAPH_FOUND] = {"found", "box", "#ffd6d6", "#c62828", "#b00000"},
    [GRAPH_SHORT] = {"short", "box", "#e8e8e8", "#a0a0a0", "#606060"},
};
static const struct look left_out = {"left-out", "folder", "#fff6da", "#b08900", "#604800"};
static const struct look left_out_found = {"left-out", "folder", "#ffd6d6", "#c62828", "#b00000"};

static const struct look *look_of(const struct graph *graph, const struct graph_box *box) {
    if (box->left_out)
        return box->counts.found ? &left_out_found : &left_out;
    return &looks[graph->nodes[box->first].kind];
}

/* --- text ----------------------------------------------------------------------------------- */

/* The number of bytes of the UTF-8 character at `text`; 0 if there is none. */
static uint32_t character_length(const char *text) {
    unsigned char first = (unsigned char)text[0];
    uint32_t length = first < 0x80                    ? 1
                      : first >= 0xc2 && first < 0xe0 ? 2
                      : first >= 0xe0 && first < 0xf0 ? 3
                      : first >= 0xf0 && first < 0xf5 ? 4
                                                      : 0;
    for (uint32_t i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Writes a character as it must stand within quotes, or within markup. */
static void write_character(const char *at, uint32_t length, bool markup, FILE *out) {
    if (length != 1)
        fprintf(out, "%.*s", (int)length, length ? at : "");
    else if (*at == '\n')
        fputs(markup ? "<br align=\"left\"/>" : "\\n", out);
    else if (markup && strchr("<>&\"", *at) != NULL)
        fprintf(out, "&#%d;", *at);
    else if (!markup && (*at == '"' || *at == '\\'))
        fprintf(out, "\\%c", *at);
    else
        fputc((unsigned char)*at < 0x20 || *at == 0x7f ? ' ' : *at, out);
}

/* Writes '?' for each byte that is not UTF-8, since Graphviz would stop there. */
static void write_text(const char *text, bool markup, FILE *out) {
    while (*text != '\0') {
        uint32_t length = character_length(text);
        write_character(length ? text : "?", length ? length : 1, markup, out);
        text += length ? length : 1;
    }
}

/* --- the parts ------------------------------------------------------------------------------ */

static void write_sample(const struct look *look, const char *text, FILE *out) {
    fprintf(out, "<font color=\"%s\">&#9632; %s</font>  ", look->line, text);
}

static bool has_races(const struct graph *graph) {
    return graph->arrow_count > 0;
}

static void write_head(const struct graph *graph, const char *title, FILE *out) {
    fputs("digraph executions {\n  graph [fontname=\"Helvetica\", fontsize=12, labelloc=t, "
          "labeljust=l, ranksep=0.22,\n    nodesep=0.25, ",
          out);
    fprintf(out, "rankdir=%s, label=<", graph->folded ? "LR" : "TB");
    write_text(title, true, out);
    fputs("<br align=\"left\"/>", out);
    write_sample(&looks[GRAPH_COMPLETE], "complete", out);
    write_sample(&looks[GRAPH_FOUND], "finding", out);
    write_sample(&looks[GRAPH_SHORT], "given up", out);
    write_sample(&left_out, "left out", out);
    if (has_races(graph))
        fputs("<font color=\"#c05000\">- - race for which another execution was planned</font>",
              out);
    fputs("<br align=\"left\"/>>];\n"
          "  node [fontname=\"Helvetica\", fontsize=10, height=0.2, margin=\"0.08,0.04\", "
          "style=filled];\n"
          "  edge [arrowsize=0.5, color=\"#606060\"];\n",
          out);
}

static void write_box(const struct graph *graph, uint32_t number, FILE *out) {
    const struct graph_box *box = &graph->boxes[number];
    const struct look *look = look_of(graph, box);
    fprintf(out, "  b%" PRIu32 " [label=\"", number);
    write_text(box->text != NULL ? box->text : "", false, out);
    fprintf(out, "\", class=\"%s\", shape=%s, fillcolor=\"%s\", color=\"%s\", fontcolor=\"%s\"];\n",
            look->class, look->shape, look->fill, look->line, look->text);
}

/* The edge to the first child goes straight on. */
static void write_edge(const struct graph *graph, uint32_t number, bool first, FILE *out) {
    const struct graph_box *box = &graph->boxes[number];
    fprintf(out, "  b%" PRIu32 " -> b%" PRIu32 " [weight=%d", box->parent, number, first ? 50 : 1);
    if (box->left_out)
        fputs(", style=dotted", out);
    fputs("];\n", out);
}

static void write_edges(const struct graph *graph, FILE *out) {
    for (uint32_t parent = 0; parent < graph->box_count; parent++) {
        bool first = true;
        for (uint32_t i = parent + 1; i < graph->box_count; i++)
            if (graph->boxes[i].parent == parent) {
                write_edge(graph, i, first, out);
                first = false;
            }
    }
}

static void write_arrow(const struct graph *graph, const struct graph_arrow *arrow, FILE *out) {
    uint32_t from = graph->box_of[arrow->from], to = graph->box_of[arrow->to];
    if (from == 0 || to == 0 || from == to)
        return;
    fprintf(out,
            "  b%" PRIu32 " -> b%" PRIu32 " [class=\"race\", style=dashed, color=\"#c05000\", "
            "constraint=false",
            from - 1, to - 1);
    if (arrow->times > 1)
        fprintf(out, ", label=\"%" PRIu32 "\", fontsize=9, fontcolor=\"#c05000\"", arrow->times);
    fputs("];\n", out);
}

bool graph_write_dot(const struct graph *graph, const char *title, FILE *out) {
    write_head(graph, title, out);
    for (uint32_t i = 0; i < graph->box_count; i++)
        write_box(graph, i, out);
    write_edges(graph, out);
    for (uint32_t i = 0; i < graph->arrow_count; i++)
        write_arrow(graph, &graph->arrows[i], out);
    fputs("}\n", out);
    return fflush(out) == 0 && !ferror(out);
}
