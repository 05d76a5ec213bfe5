/* judge.c - an independent judge of Heddle: random programs, a model of everything that they can
 * do, and the comparison.
 *
 *     judge emit FIRST COUNT                           the programs of these seeds as one C file
 *     judge show SEED                                  one program, and what the model says of it
 *     judge explain SEED OUTCOME                       how the model reaches an outcome, or
 *                                                      stuck tasks if OUTCOME is 0
 *     judge check [OPTION...] FIRST COUNT VARIANT...   runs HEDDLE on each program and compares;
 *                                                      a VARIANT is the compiled output of `emit`
 *
 * Options of `check`:
 *     --strategies=A,B,...   the first runs on every variant, the others on one
 *     --in-turn=A,B,...      one of these for each program
 *     --without=KIND,...     leaves out programs that have such an instruction
 *     --option=O             one more option for `heddle run`
 *     --sequences=c++20      release sequences as in C++20
 *     --states=N             the most states of the model
 *     --executions=N         the most executions of a run
 *     --sloppy=N             the model forgets every N-th step, which the comparison must notice */
#include "judge.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number(const char *text) {
    return strtoull(text, NULL, 0);
}

static void split(char *list, const char **into) {
    int count = 0;
    for (char *word = strtok(list, ","); word != NULL && count < STRATEGIES_MAX - 1;
         word = strtok(NULL, ","))
        into[count++] = word;
    into[count] = NULL;
}

static bool option(struct trial *trial, char *word) {
    char *value = strchr(word, '=');
    if (strncmp(word, "--", 2) != 0 || value == NULL)
        return false;
    *value++ = 0;
    if (strcmp(word, "--strategies") == 0)
        split(value, trial->always);
    else if (strcmp(word, "--in-turn") == 0)
        split(value, trial->in_turn);
    else if (strcmp(word, "--without") == 0)
        trial->without = value;
    else if (strcmp(word, "--option") == 0)
        trial->options = value;
    else if (strcmp(word, "--sequences") == 0)
        order_stores_end = strcmp(value, "c++20") == 0;
    else if (strcmp(word, "--states") == 0)
        trial->states_max = number(value);
    else if (strcmp(word, "--executions") == 0)
        trial->executions_max = number(value);
    else if (strcmp(word, "--sloppy") == 0)
        trial->sloppy = (uint32_t)number(value);
    else
        return false;
    return true;
}

static int check(int argc, char **argv) {
    struct trial trial = {.heddle = getenv("HEDDLE"),
                          .work = getenv("WORK"),
                          .always = {"optimal"},
                          .states_max = 30000,
                          .executions_max = 20000};
    struct program program;
    while (argc > 0 && option(&trial, argv[0]))
        argc--, argv++;
    if (argc < 3 || argc - 2 > VARIANTS_MAX || trial.heddle == NULL || trial.work == NULL)
        return 2;
    for (int i = 2; i < argc; i++)
        trial.variant[trial.variants++] = argv[i];
    for (uint64_t seed = number(argv[0]); seed < number(argv[0]) + number(argv[1]); seed++) {
        generate(&program, seed);
        trial_of(&trial, &program);
        if (trial.last_differs && trial.differences <= DIFFERENCES_SHOWN)
            printf("To see it again: FIRST=%llu PROGRAMS=1 sh tools/run-tests.sh build -R "
                   "judge/test_judge\n",
                   (unsigned long long)seed);
    }
    printf("%llu programs, %llu runs, %llu differences; left out: %llu programs, %llu too big for "
           "the model, %llu "
           "runs too long\n",
           (unsigned long long)trial.programs, (unsigned long long)trial.runs,
           (unsigned long long)trial.differences, (unsigned long long)trial.left_out,
           (unsigned long long)trial.too_big, (unsigned long long)trial.too_long);
    bool enough =
        trial.runs > 0 && trial.too_long <= trial.runs / 5 && trial.too_big <= trial.programs / 5;
    if (!enough)
        printf("DIFFERENCE: too little was compared\n");
    return trial.differences != 0 || !enough;
}

static int show(uint64_t seed) {
    static struct answer answer;
    struct program program;
    generate(&program, seed);
    emit(&program, stdout);
    program.plain_steps = true;
    model_answer(&program, 1u << 20, 0, &answer);
    printf("\n%llu states, %u outcomes%s%s%s%s%s%s\n", (unsigned long long)answer.states,
           answer.outcomes, answer.too_big ? ", too big" : "", answer.stuck ? ", stuck" : "",
           answer.may_stick && !answer.stuck ? ", perhaps stuck" : "", answer.race ? ", race" : "",
           answer.misuse ? ", misuse" : "", program.spurious ? ", --spurious-wakeups" : "");
    return 0;
}

static int explain(uint64_t seed, uint64_t outcome) {
    struct program program;
    generate(&program, seed);
    program.plain_steps = true;
    model_explain(&program, outcome, stdout);
    return 0;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 4 && strcmp(argv[1], "emit") == 0)
        return emit_all(number(argv[2]), number(argv[3]), stdout), 0;
    if (argc == 3 && strcmp(argv[1], "show") == 0)
        return show(number(argv[2]));
    if (argc == 4 && strcmp(argv[1], "explain") == 0)
        return explain(number(argv[2]), number(argv[3]));
    if (argc > 2 && strcmp(argv[1], "check") == 0)
        return check(argc - 2, argv + 2);
    fprintf(stderr,
            "usage: judge emit FIRST COUNT | show SEED | explain SEED OUTCOME | check ...\n");
    return 2;
}
