/** What an experiment is, and what it is given to run. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.experiment;
