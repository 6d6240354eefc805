// probes/laws.cl: computes states and results for the tests of an operator's laws. Each work-item is one trial.
//   elements, inputs   the values that trials use
//   triples       LAW_TRIPLE numbers for each trial: how many elements make a, b and c; then the indices of these
//                 elements, LAW_ROOM numbers for each of a, b and c
//   states        LAW_STATES for each trial: a, b, c, bc, (ab)c, a(bc), ab, ba, ea, ae, where e is the identity
//   results       LAW_RESULTS for each trial: these states lowered, except b, c and bc
// The elements of a, b and c have the indices 0, 1, 2, ..., as if they were neighbours.
#include "common/input.clh"

#define LAW_ROOM 3
#define LAW_TRIPLE 12
#define LAW_STATES 10
#define LAW_RESULTS 7

#define LAW_INPUT(reading, type, name) , __global const JOIN(POINTED_, reading)(type) *JOIN(clred_input_, name)
#define LAW_PARAMETER(type, name) , type JOIN(clred_parameter_, name)
#define LAW_INPUT_NOW(reading, type, name) , JOIN(clred_input_, name)
#define LAW_PARAMETER_NOW(type, name) , JOIN(clred_parameter_, name)

STATE clred_law_lift(struct clred_in in, ulong at, ulong index)
{
  return clred_lift(JOIN(READ_, ELEMENT_READING)(ELEMENT_TYPE, in.elements + at), index INPUTS(READ_INPUT)
                        PARAMETERS(READ_PARAMETER));
}

STATE clred_law_state(struct clred_in in, __global const uint *picks, uint count, ulong index)
{
  STATE state = clred_law_lift(in, picks[0], index);
  for (uint i = 1; i < count; i++)
    state = clred_combine(state, clred_law_lift(in, picks[i], index + i));
  return state;
}

__kernel void clred_laws(__global const uint *triples, uint count, __global STATE *states, __global RESULT *results,
                         __global const ELEMENT *elements INPUTS(LAW_INPUT) PARAMETERS(LAW_PARAMETER))
{
  struct clred_in in = {elements INPUTS(LAW_INPUT_NOW) PARAMETERS(LAW_PARAMETER_NOW), 0, 1};
  ulong trial = get_global_id(0);
  if (trial >= count)
    return;
  triples += trial * LAW_TRIPLE;
  states += trial * LAW_STATES;
  results += trial * LAW_RESULTS;
  __global const uint *picks = triples + 3;
  STATE p = clred_law_state(in, picks, triples[0], 0);
  STATE q = clred_law_state(in, picks + LAW_ROOM, triples[1], triples[0]);
  STATE r = clred_law_state(in, picks + 2 * LAW_ROOM, triples[2], triples[0] + triples[1]);
  states[0] = p;
  states[1] = q;
  states[2] = r;
  states[3] = clred_combine(q, r);
  states[6] = clred_combine(p, q);
  states[4] = clred_combine(states[6], r);
  states[5] = clred_combine(p, states[3]);
  states[7] = clred_combine(q, p);
  states[8] = clred_combine(clred_identity(), p);
  states[9] = clred_combine(p, clred_identity());
  results[0] = clred_lower(p);
  for (uint i = 1; i < LAW_RESULTS; i++)
    results[i] = clred_lower(states[3 + i]);
}
