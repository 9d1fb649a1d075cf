/**
 * Columns of entities as Java values, and what is made of them: conditions, orders and calculated numbers.
 *
 * <p>There is a class for each type of column: {@link dev.penstock.query.typed.field.IntField} and its like for
 * primitives, which are never boxed on the way, {@link dev.penstock.query.typed.field.TextField},
 * {@link dev.penstock.query.typed.field.EnumField}, {@link dev.penstock.query.typed.field.BinaryField}, and
 * {@link dev.penstock.query.typed.field.ValueField} for the other types with an order of their own. A field is a
 * function of the entity and a comparator of entities, so that it can stand in any stream; a stream of a typed table
 * knows it again and asks the engine.
 *
 * <p>Whatever is made here exists twice, and both mean the same: a {@link dev.penstock.query.typed.field.Condition} is
 * a {@link dev.penstock.query.Predicate} for a plan and a test of an entity; a
 * {@link dev.penstock.query.typed.field.FieldOrder} names columns and compares entities. The rules of NULL, texts and
 * numbers are the same everywhere: a condition on a null is false but for {@code isNull} and {@code notEqual}, and
 * {@code negate} is the true complement. Everything is immutable.
 *
 * <p>The package has one class for each type of column, and is as large as there are types. {@code LongField} and
 * {@code DoubleField} are generated from {@code IntField} and {@code FloatField}. Begin with
 * {@link dev.penstock.query.typed.field.Field}.
 */
@NullMarked
package dev.penstock.query.typed.field;

import org.jspecify.annotations.NullMarked;
