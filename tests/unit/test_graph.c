/* test_graph.c - the picture of a search: what is drawn, what is folded, what is left out. All
 * executions must be accounted for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reports/graph.h"

static const struct graph_counts none = {0, 0, 0}, complete = {1, 0, 0}, found = {0, 1, 0};

/* Adds `length` steps below `parent`, then a leaf. Returns the first of these steps. */
static uint32_t add_way(struct graph *graph, uint32_t parent, uint32_t length, bool finding) {
    uint32_t first = graph->node_count;
    for (uint32_t i = 0; i < length; i++)
        parent = graph_add_node(graph, parent, GRAPH_STEP, none);
    graph_add_node(graph, parent, finding ? GRAPH_FOUND : GRAPH_COMPLETE,
                   finding ? found : complete);
    return first;
}

static void begin(struct graph *graph) {
    graph_init(graph);
    graph_add_node(graph, 0, GRAPH_START, none);
}

static uint64_t total(const struct graph_counts *counts) {
    return counts->complete + counts->found + counts->others;
}

static uint64_t drawn(const struct graph *graph) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < graph->box_count; i++)
        sum += total(&graph->boxes[i].counts);
    return sum;
}

static void a_small_one_is_drawn_as_it_is(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    uint32_t first = add_way(&graph, 0, 5, false);
    add_way(&graph, first + 1, 3, true);
    graph_add_arrow(&graph, first + 2, first + 4);
    graph_add_arrow(&graph, first + 2, first + 4);
    graph_fold(&graph, 50);
    assert_int_equal(graph.box_count, 1 + 5 + 1 + 3 + 1);
    assert_false(graph.folded);
    assert_int_equal(graph.arrow_count, 1);
    assert_int_equal(graph.arrows[0].times, 2);
    assert_int_equal(graph.arrows_left_out, 0);
    assert_int_equal(drawn(&graph), 2);
    graph_destroy(&graph);
}

/* Two steps lead to the branch, 98 and 50 steps follow it: three boxes, in addition to the start
 * and two leaves. */
static void chains_are_one_box(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    uint32_t first = add_way(&graph, 0, 100, false);
    uint32_t other = add_way(&graph, first + 1, 50, false);
    graph_add_arrow(&graph, first, first + 10);
    graph_add_arrow(&graph, first + 10, first + 20);
    graph_fold(&graph, 20);
    assert_true(graph.folded);
    assert_int_equal(graph.box_count, 1 + 3 + 2);
    const struct graph_box *box = &graph.boxes[graph.box_of[other] - 1];
    assert_int_equal(box->first, other);
    assert_int_equal(box->last, other + 49);
    assert_int_equal(box->steps, 50);
    assert_int_equal(graph.boxes[box->parent].steps, 2);
    assert_int_equal(graph.arrows_left_out, 1); /* within one box */
    assert_int_equal(total(&graph.left_out), 0);
    graph_destroy(&graph);
}

/* A hundred ways lead from the root, and a budget of 40 boxes draws only some of them. The finding
 * is the last way, and must be among them. */
static void findings_come_first(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    for (uint32_t i = 0; i < 100; i++)
        add_way(&graph, 0, 3, false);
    uint32_t last = add_way(&graph, 0, 3, true);
    graph_fold(&graph, 40);
    assert_true(graph.box_count <= 40);
    assert_int_not_equal(graph.box_of[last + 3], 0);
    assert_int_not_equal(graph.box_of[4], 0); /* the leaf of the first execution */
    assert_int_equal(drawn(&graph), 101);
    assert_int_equal(graph.left_out.found, 0);
    assert_true(graph.left_out.complete > 50);
    graph_destroy(&graph);
}

static void unrecorded_executions_are_a_box(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    uint32_t first = add_way(&graph, 0, 3, false);
    graph.nodes[first + 1].counts = (struct graph_counts){7, 2, 1};
    graph_fold(&graph, 20);
    assert_int_equal(graph.box_count, 1 + 3 + 1 + 1);
    const struct graph_box *box = &graph.boxes[graph.box_count - 1];
    assert_true(box->left_out);
    assert_int_equal(box->counts.complete, 7);
    assert_int_equal(total(&graph.left_out), 10);
    assert_int_equal(drawn(&graph), 11);
    graph_destroy(&graph);
}

/* For every tree, all executions are accounted for, boxes come after their parents, and the boxes
 * stay within the budget. */
static void random_trees(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 3);
    for (uint32_t round = 0; round < 300; round++) {
        struct graph graph;
        begin(&graph);
        uint32_t ways = 1 + random_below(&random, 200), budget = 8 + random_below(&random, 200);
        for (uint32_t i = 0; i < ways; i++) {
            uint32_t from = random_below(&random, graph.node_count);
            while (graph.nodes[from].kind > GRAPH_STEP)
                from = graph.nodes[from].parent;
            add_way(&graph, from, random_below(&random, 6), random_below(&random, 10) == 0);
        }
        for (uint32_t i = 0; i < 20; i++)
            graph_add_arrow(&graph, random_below(&random, graph.node_count),
                            random_below(&random, graph.node_count));
        graph_fold(&graph, budget);
        assert_true(graph.box_count <= budget);
        assert_int_equal(drawn(&graph), ways);
        for (uint32_t i = 1; i < graph.box_count; i++)
            assert_true(graph.boxes[i].parent < i);
        graph_destroy(&graph);
    }
}

/* --- the graph as text ---------------------------------------------------------------------- */

static char *write(const struct graph *graph, const char *title) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_true(graph_write_dot(graph, title, out));
    fclose(out);
    return text;
}

static void nothing_in_a_text_ends_it(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    graph_fold(&graph, 8);
    graph.boxes[0].text = strdup("a \"b\" \\c\n\xc3\xa4 \xff\x01");
    char *text = write(&graph, "<x> & \"y\"\nz");
    assert_non_null(strstr(text, "label=\"a \\\"b\\\" \\\\c\\n\xc3\xa4 ? \""));
    assert_non_null(strstr(text, "label=<&#60;x&#62; &#38; &#34;y&#34;<br align=\"left\"/>z"));
    free(text);
    graph_destroy(&graph);
}

static uint32_t occurrences(const char *text, const char *part) {
    uint32_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static void each_box_and_each_race_is_there(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    uint32_t first = add_way(&graph, 0, 4, false);
    add_way(&graph, first, 2, true);
    graph_add_arrow(&graph, first + 1, first + 3);
    graph_fold(&graph, 20);
    char *text = write(&graph, "");
    assert_int_equal(occurrences(text, "class=\"step\""), 6);
    assert_int_equal(occurrences(text, "class=\"complete\""), 1);
    assert_int_equal(occurrences(text, "class=\"found\""), 1);
    assert_int_equal(occurrences(text, "class=\"race\""), 1);
    assert_int_equal(occurrences(text, "weight="), 8);
    free(text);
    graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_one_is_drawn_as_it_is),
        cmocka_unit_test(chains_are_one_box),
        cmocka_unit_test(findings_come_first),
        cmocka_unit_test(unrecorded_executions_are_a_box),
        cmocka_unit_test(random_trees),
        cmocka_unit_test(nothing_in_a_text_ends_it),
        cmocka_unit_test(each_box_and_each_race_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
