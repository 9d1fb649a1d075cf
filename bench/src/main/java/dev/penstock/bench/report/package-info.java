/** What experiments found, and how it is shown: tables, plots, files. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.report;
