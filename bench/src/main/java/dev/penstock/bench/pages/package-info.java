/**
 * The page of the presidents: streamed, and in the ways that people would otherwise make it.
 *
 * <p>{@link dev.penstock.bench.pages.ComparedPages} is what the server adds for these experiments: a page for each
 * way. {@link dev.penstock.bench.pages.PresidentsExperiment} compares four of them over rows, clients, heaps and
 * databases, {@link dev.penstock.bench.pages.StreamingCostExperiment} takes apart what makes streaming slow where it
 * is, and {@link dev.penstock.bench.pages.FirstRowExperiment} looks for the first row. A {@link
 * dev.penstock.bench.pages.PageCell} is one way with so many rows and clients, and what was measured of it; it
 * asserts that every page was whole.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.pages;
