/**
 * The schema that code is generated from: its model, and the two places that it is read from.
 *
 * <p>A {@link dev.penstock.codegen.schema.SchemaModel} is an immutable value of {@code TableModel}, {@code
 * ColumnModel}, {@code Labels} (enums) and {@code Reference} (foreign keys). It comes
 *
 * <ul>
 *   <li>from a database: {@code SchemaReader}, which adds to what the query engine knows what {@code SchemaDetails}
 *       asks the catalogs for: labels of enums, comments, foreign keys, generated columns,
 *   <li>from a schema file: a file in YAML, of which {@code SchemaNode} reads texts, lists and mappings
 *       with their places, and {@code SchemaParser} the model; {@code SchemaText} writes one.
 * </ul>
 *
 * <p>{@code Choices} applies what was chosen in an earlier file to a schema that was read again; the file's {@code
 * Comments} stay where they were. {@code SchemaNaming} runs last and gives names to what has none, always the same
 * ones. {@code JavaType} says which Java type a {@code ColumnType} becomes; which of these a database's type is was
 * decided in {@code sql.schema} of the query module.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.schema;
