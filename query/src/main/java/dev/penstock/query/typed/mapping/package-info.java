/**
 * The fields of an entity as the columns of an engine's table.
 *
 * <p>An {@link dev.penstock.query.typed.mapping.EntityMapping} is made once for each typed table. It checks that the
 * table fits the entity, and from then on knows the column of each field: its name in the database, which may differ in
 * case, and how it holds the values, for truth values may be numbers there and longs may be in narrower columns. A
 * {@code PredicateMapper} rewrites conditions accordingly. In the other direction,
 * {@link dev.penstock.query.typed.mapping.FieldReaders} make a field's value of a cell; a cell that does not fit is
 * told by table, field, cause and remedy.
 */
@NullMarked
package dev.penstock.query.typed.mapping;

import org.jspecify.annotations.NullMarked;
