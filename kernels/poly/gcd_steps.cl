// Greatest common divisors by steps that lower the sum of two formal degrees by one: the s-step algorithm of paper 002
// (algorithms 22 and 23, corrected), and the division steps of Bernstein and Yang (2019), whose number is known beforehand.
//
// P and Q hold coefficients from the leading one down, la and lb of them; what lies past them is 0. A step takes one of them
// as its target T, the other one as O, and lowers the length of T by one:
//
//   T[k] = O[0] T[k + 1] - T[0] O[k + 1]        or, where one of both factors is 0,        T[k] = T[k + 1]
//
// The target is the longer one; one that begins with 0 before all. With RULE 1 one of both, F, never begins with 0: the
// target is F where it is longer and the other one does not begin with 0, else the other one; and F then names what is not
// the target. After a step, coefficient k depends on coefficients k and k + 1 before it. So a group that has the first STEPS
// coefficients of both, and WIDTH + STEPS from its own first one on, makes STEPS steps by itself:
//
//   cells of P, then of Q:   | STEPS: the first ones | WIDTH: the group's own | STEPS: those of the groups behind |
//
// Nothing is shifted: the coefficients from `op` on of P and from `oq` on of Q are left after op + oq steps. A step writes
// only the target's cells behind its first one, which is read by all items and never again: one barrier a step.
//
// state: two times four numbers: la, lb, whether Q is F, and the number of the pair of buffers that holds P and Q. A launch
// reads those at `slot`, and P and Q of that pair, and writes the others. Once done, launches hand the state on as it is. Lengths
// are bounded by p_len and q_len, the words of P and Q: spoiled ones read and write no memory of others.
//
// gcd_steps_persistent makes all launches in one: groups wait for each other after each round. All groups must run at the same
// time, for which the host sees to it that there are no more of them than compute units, on devices known to begin them all.
//
// parts: poly/accumulate.clh field/combine.clh device/meet.clh
// set: RULE=1
// set: MONTGOMERY=1
// set: MONTGOMERY=1 RULE=1 STEPS=64 WIDTH=448 GROUP=256
// set: ulong ARITHMETIC=1 MONTGOMERY=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 RULE=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef STEPS
#define STEPS 16u // steps of a launch, at most
#endif
#ifndef WIDTH
#define WIDTH 48u // coefficients of a group
#endif
#ifndef GROUP
#define GROUP 32 // items of a group
#endif
#ifndef RULE
#define RULE 0 // 0 until one polynomial is 0 or a constant, 1 division steps
#endif

#define CELLS (2u * STEPS + WIDTH)

// Makes a group's part of up to `most` steps from the state and the pair of polynomials at `slot`. Whether there is more to do
// for the group.
inline bool gcd_round(__local residue *cells, __global const ELEMENT *p_from, __global const ELEMENT *q_from, __global ELEMENT *p_to,
                      __global ELEMENT *q_to, const uint p_len, const uint q_len, __global int *state, const uint slot,
                      const uint most, const modulus mod, const ulong inverse)
{
    const uint item = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint base = group * WIDTH;
    const uint other_slot = 1u - slot;
    // The sum of both stays positive: none is less than the other's most.
    const int least = -(int)max(p_len, q_len);
    int la = clamp(state[4u * slot], least, (int)p_len);
    int lb = clamp(state[4u * slot + 1u], least, (int)q_len);
    int q_is_f = state[4u * slot + 2u];
    const int place = state[4u * slot + 3u];
    bool rest = false;
#if RULE == 0
    // A launch before that found nothing to do left both where they were.
    rest = place != (int)slot || la <= 0 || lb <= 0 || (la == 1 && p_from[0] != (ELEMENT)0) || (lb == 1 && q_from[0] != (ELEMENT)0);
#endif
    const bool idle = rest || (int)base >= max(la, lb);
    // Idle groups meet as the others do, with nothing to read and no step to make: PoCL 3.1 miscompiles small groups where a
    // return or a condition lies before a barrier.
    const uint own = idle ? 0u : most;
    for (uint i = item; i < CELLS; i += GROUP) {
        const int k = (int)(i < STEPS ? i : base + i - STEPS);
        cells[i] = !idle && k < la ? mod_in(p_from[k]) : (residue)0;
        cells[CELLS + i] = !idle && k < lb ? mod_in(q_from[k]) : (residue)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint op = 0u;
    uint oq = 0u;
    for (uint step = 0u; step < own; step++) {
        const residue x = cells[op];
        const residue y = cells[CELLS + oq];
        const bool skip = x == (residue)0 || y == (residue)0;
        bool over = false;
#if RULE == 0
        over = la <= 0 || lb <= 0 || (la == 1 && x != (residue)0) || (lb == 1 && y != (residue)0);
        const bool on_p = x == (residue)0 || (y != (residue)0 && la >= lb);
#else
        const int ahead = q_is_f ? lb - la : la - lb;
        const bool swap = ahead > 0 && !skip;
        const bool on_p = swap != (q_is_f != 0);
        q_is_f = swap ? 1 - q_is_f : q_is_f;
#endif
        if (!skip && !over) {
            __local residue *target = on_p ? cells : cells + CELLS;
            __local const residue *other = on_p ? cells + CELLS : cells;
            const uint of_target = on_p ? op : oq;
            const uint of_other = on_p ? oq : op;
            const residue c = on_p ? y : x;
            const residue d = mod_negative(on_p ? x : y, mod);
            for (uint i = item; i < CELLS - of_other; i += GROUP) {
                if (i > of_target)
                    target[i] = mod_combine(c, target[i], d, other[i + of_other - of_target], mod, inverse);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        la -= on_p && !over ? 1 : 0;
        lb -= on_p || over ? 0 : 1;
        op += on_p && !over ? 1u : 0u;
        oq += on_p || over ? 0u : 1u;
    }
    for (uint i = item; i < (idle ? 0u : WIDTH); i += GROUP) {
        const uint k = base + i;
        if ((int)k < la)
            p_to[k] = mod_out(cells[STEPS + i + op], mod);
        if ((int)k < lb)
            q_to[k] = mod_out(cells[CELLS + STEPS + i + oq], mod);
    }
    if (group == 0u && item == 0u) {
        state[4u * other_slot] = la;
        state[4u * other_slot + 1u] = lb;
        state[4u * other_slot + 2u] = q_is_f;
        state[4u * other_slot + 3u] = rest ? place : (int)other_slot;
    }
    return !idle;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gcd_steps(__global const ELEMENT *restrict p_from, __global const ELEMENT *restrict q_from, __global ELEMENT *restrict p_to,
               __global ELEMENT *restrict q_to, const uint p_len, const uint q_len, __global int *restrict state, const uint slot,
               const uint most, const ELEMENT p, const ulong reciprocal, const ulong inverse)
{
    __local residue cells[2u * CELLS];
    gcd_round(cells, p_from, q_from, p_to, q_to, p_len, q_len, state, slot, most, mod_of(p, reciprocal), inverse);
}

// All rounds of `steps` steps in all. The polynomials of pair 1 lie p_len and q_len words behind those of pair 0. arrivals: a number
// for each round, 0 before. state[8] becomes the slot of the last state, and state[9], 0 before, 1 where groups waited in vain.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gcd_steps_persistent(__global ELEMENT *p_pairs, const uint p_len, __global ELEMENT *q_pairs, const uint q_len, __global int *state,
                          __global uint *arrivals, const uint steps, const ELEMENT p, const ulong reciprocal, const ulong inverse)
{
    __local residue cells[2u * CELLS];
    __local uint patience;
    const modulus mod = mod_of(p, reciprocal);
    patience_begin(&patience);
    uint slot = 0u;
    uint round = 0u;
    for (uint done = 0u; done < steps; done += STEPS) {
        const uint longest = (uint)max(max(state[4u * slot], state[4u * slot + 1u]), 1);
        const bool more = gcd_round(cells, p_pairs + slot * p_len, q_pairs + slot * q_len, p_pairs + (1u - slot) * p_len,
                                    q_pairs + (1u - slot) * q_len, p_len, q_len, state, slot, min((uint)STEPS, steps - done), mod,
                                    inverse);
        if (!more)
            break;
        // The groups that had something to do are those that meet.
        groups_meet(arrivals + round, min((longest - 1u) / WIDTH + 1u, (uint)get_num_groups(0)), &patience);
        slot = 1u - slot;
        round++;
    }
    if (get_global_id(0) == 0)
        state[8] = (int)slot;
    if (get_local_id(0) == 0 && patience == 0u)
        state[9] = 1;
}
