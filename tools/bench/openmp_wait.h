// openmp_wait.h: OpenMP's idle threads spin after each loop unless told not to, and take the cores from whatever runs
// next: the library would look 15 to 20 % slower.

#ifndef BENCH_OPENMP_WAIT_H
#define BENCH_OPENMP_WAIT_H

// Starts the program again with OMP_WAIT_POLICY=passive, if it is not set so: OpenMP reads it before main.
void make_openmp_wait_passively(char **argv);

#endif
