/** What is asked ({@link dev.penstock.query.Plan}), and how rows are read ({@link dev.penstock.query.Cursor}). */
@org.jspecify.annotations.NullMarked
package dev.penstock.query;
