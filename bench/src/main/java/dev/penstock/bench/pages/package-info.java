/** The page of the presidents: streamed, and in the ways that people would otherwise make it. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.pages;
