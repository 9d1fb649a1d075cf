/** Tests of indexes by themselves. */
@org.jspecify.annotations.NullUnmarked
package dev.penstock.snapshot.index;
