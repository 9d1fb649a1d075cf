/**
 * Names and text of Java source, without regard to any schema.
 *
 * <p>{@code Words} splits a name of a database into its words and joins them as a class, a component or a constant.
 * {@code TakenNames} holds the names of one scope, so that each is given once and none hides what generated code needs.
 * {@code JavaText} writes literals and broken lists, {@code JavadocText} comments of a database as Javadoc: whatever a
 * database holds, the source compiles and no comment ends early.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.naming;
