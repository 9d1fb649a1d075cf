/**
 * Java source, made of a schema whose parts all have names.
 *
 * <p>{@link dev.penstock.codegen.source.EntitySource} writes the class of a table: a record, or where a record can't
 * have that many components the class of {@code WideClassSource}; {@code EqualitySource} adds the methods that compare
 * rows with arrays, {@code EnumSource} writes enums. The comments of tables and columns become Javadoc in
 * {@code EntitySource}. {@code GeneratedSource} marks a file with a sum of its content, by
 * which a later run sees whether somebody changed it.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.codegen.source;
