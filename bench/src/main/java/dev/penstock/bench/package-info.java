/** The experiments: each runs Penstock side by side with what people would otherwise use, and says what it measured. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench;
