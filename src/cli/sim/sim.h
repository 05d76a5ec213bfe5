/* sim.h - `heddle sim`. */
#ifndef CLI_SIM_H
#define CLI_SIM_H

int sim_main(int argc, char **argv);

#endif
