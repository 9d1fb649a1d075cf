/**
 * The counting of calls without contention: each instance has counters of its own, which only the call that holds the
 * instance writes, and whoever wants the figures adds them up.
 */
@NullMarked
package dev.penstock.service.figures;

import org.jspecify.annotations.NullMarked;
