/* One machine counts the events that another one sends. */
#include <heddle/machine.h>

static int counted;

EVENT(COUNT, int);

struct counter {
    int sum;
};
DECLARE_MACHINE(Counter, struct counter);
static void count(struct counter *me, const int *number) {
    me->sum += *number;
    counted = me->sum;
}
MACHINE(Counter, START("Counting", ON(COUNT, count)));

struct sender {
    int numbers;
};
DECLARE_MACHINE(Sender, struct sender);
static void send(struct sender *me) {
    machine_id counter = machine_create(Counter, .sum = 1);
    for (int i = 1; i <= me->numbers; i++)
        machine_send(counter, COUNT, i);
}
MACHINE(Sender, START("Sending", ENTRY(send)));

int main(void) {
    int status = machine_start(Sender, .numbers = 4);
    heddle_assert(counted == 1 + 1 + 2 + 3 + 4);
    return status;
}
