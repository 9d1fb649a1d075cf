/**
 * The code generator: records with typed fields, made of a database's schema or of a schema file.
 *
 * <p>A schema goes one way through the packages:
 *
 * <ol>
 *   <li>{@link dev.penstock.codegen.SchemaFile} is read from a database or from a file ({@code .schema}), and
 *       everything in it gets a name in Java ({@code .naming} has the words and rules),
 *   <li>{@link dev.penstock.codegen.Generator} makes a Java file of each table, view and enum ({@code .source}),
 *   <li>{@link dev.penstock.codegen.SourceFolder} writes them where they belong, and leaves files alone that somebody
 *       has changed; {@link dev.penstock.codegen.Project} writes a Maven project around them.
 * </ol>
 *
 * <p>Invariants: the same schema gives the same text, whatever machine makes it; names, once given, stay, since they
 * are written into the schema file; nothing that a user has edited is overwritten. The generator is a tool of the
 * build: generated code needs {@code penstock-query} alone.
 *
 * <p>All that fails because of what was asked is a {@link dev.penstock.codegen.problem.CodegenException}. Begin reading
 * with {@code Generator.files}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen;
