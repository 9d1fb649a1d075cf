/** Tests of loading and merging by themselves. */
@org.jspecify.annotations.NullUnmarked
package dev.penstock.snapshot.load;
