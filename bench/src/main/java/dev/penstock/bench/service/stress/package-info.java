/**
 * Tests of the hand-over of service pools by jcstress, which runs a few operations at once, millions of times and under
 * different compilers, and looks at every outcome that occurs.
 *
 * <p>Each class is one test: its actors run at once, its arbiter looks at what is left, and its outcomes say what may
 * be. {@code HandoverStressTest} among the tests runs all of them, for half a minute, or for many with {@code
 * ./penstock test --soak}.
 */
@NullMarked
package dev.penstock.bench.service.stress;

import org.jspecify.annotations.NullMarked;
