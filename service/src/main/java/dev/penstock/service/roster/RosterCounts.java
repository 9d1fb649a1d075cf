package dev.penstock.service.roster;

import dev.penstock.service.figures.CallCounters;

/**
 * The counts of a roster at one moment.
 *
 * @param live instances that take calls or run one
 * @param busy those of them that run one
 * @param starting instances that are being made, or wait for their next attempt
 * @param quarantined instances whose call ran into its deadline and has not ended yet
 * @param stopped instances that have been stopped for good
 * @param restarts instances that were made anew, since the beginning
 * @param runTimeouts calls that ran into their deadline, since the beginning
 * @param calls the counts of all calls, those of instances that have ended included
 */
public record RosterCounts(
        int min,
        int max,
        int live,
        int busy,
        int starting,
        int quarantined,
        int stopped,
        long restarts,
        long runTimeouts,
        CallCounters calls) {}
