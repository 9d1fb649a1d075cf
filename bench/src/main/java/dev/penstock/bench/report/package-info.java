/**
 * What experiments found, and how it is shown.
 *
 * <p>An experiment fills an {@link dev.penstock.bench.report.Outcome}: paragraphs, findings (a goal, and whether it was
 * reached), tables, charts, and every single figure. A {@link dev.penstock.bench.report.Report} makes files of it:
 * one page in Markdown, which is also what the terminal shows, a plot in SVG for each chart, and the figures in JSON.
 * The same page is published in {@code docs/results}, from a {@link dev.penstock.bench.report.Checkout} without
 * uncommitted changes, with the {@link dev.penstock.bench.report.Machine} that measured.
 *
 * <p>Figures that repeat are {@link dev.penstock.bench.report.Samples}; what is compared is the median over
 * repetitions of the ratio within each repetition. {@link dev.penstock.bench.report.Figures} writes numbers for
 * people.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.report;
