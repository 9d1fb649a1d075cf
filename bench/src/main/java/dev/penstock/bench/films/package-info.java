/** Films in databases and in memory, asked by typed streams and by others. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.films;
