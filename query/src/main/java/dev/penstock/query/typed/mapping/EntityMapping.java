package dev.penstock.query.typed.mapping;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Schema;
import dev.penstock.query.Subquery;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.RowReader;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import dev.penstock.query.typed.mapping.PredicateMapper.MappedColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The mapping of an entity's fields to the columns of a table. Names may differ in case, as in H2. Immutable. */
public final class EntityMapping<R> {
    private final Engine engine;
    private final Entity<R> entity;
    private final Table table;
    private final Map<String, MappedColumn> columns = new HashMap<>();
    private final Plan all;
    private final PredicateMapper predicates;
    private final PredicateMapper names;
    private final SubqueryMapper subqueries;
    private final boolean hasShortcuts;
    private final RowReader<R> reader;

    /**
     * Finds the columns of an entity's fields.
     *
     * @param hasShortcuts whether the table has shortcuts, which look for the columns that they need themselves
     * @throws IllegalArgumentException if the engine's schema does not fit the entity
     */
    public EntityMapping(Engine engine, Entity<R> entity, boolean hasShortcuts) {
        this(engine, entity, hasShortcuts, engine, _ -> {});
    }

    /**
     * Finds the columns of an entity's fields for an engine that stands for another.
     *
     * @param asked the engine that it stands for
     * @param readings is told why values of streams are read before a query
     */
    public EntityMapping(
            Engine engine,
            Entity<R> entity,
            boolean hasShortcuts,
            Engine asked,
            Consumer<String> readings) {
        this.engine = requireNonNull(engine);
        this.entity = requireNonNull(entity);
        this.hasShortcuts = hasShortcuts;
        this.reader = FieldReaders.reader(entity);
        Schema schema = engine.schema();
        this.table =
                schema.table(entity.table())
                        .orElseThrow(() ->
                                wrong("%s has no such table or view".formatted(engine.name())));
        if (entity.schema() != null
                && table.schema() != null
                && !entity.schema().equalsIgnoreCase(table.schema())) {
            throw wrong(
                    "it is of schema %s, and %s was opened with schema %s; open it with the entity's"
                            .formatted(entity.schema(), engine.name(), table.schema()));
        }
        for (Field<R, ?> field : entity.fields()) {
            Column column =
                    schema.column(table, field.column())
                            .orElseThrow(() ->
                                    wrong(
                                            "%s's table has no column %s of field %s"
                                                    .formatted(
                                                            engine.name(), field.column(), field)));
            check(field, column);
            columns.put(field.column(), MappedColumn.of(field, column));
        }
        this.subqueries = new SubqueryMapper(engine, asked, entity, table, readings);
        this.predicates = new PredicateMapper(entity, columns, subqueries::map);
        this.names = new PredicateMapper(entity, columns, (in, _) -> in);
        this.all = Plan.of(table).select(items(entity.fields()));
    }

    private void check(Field<R, ?> field, Column column) {
        if (!types(field).contains(column.type())) {
            throw wrong(
                    "field %s is a %s, and column %s is %s (%s)"
                            .formatted(
                                    field,
                                    kind(field),
                                    column.name(),
                                    column.type(),
                                    column.databaseType()));
        }
        if (column.nullable() && !field.isNullable()) {
            throw wrong(
                    "field %s is never null, and column %s (%s) may be"
                            .formatted(field, column.name(), column.databaseType()));
        }
    }

    private IllegalArgumentException wrong(String cause) {
        return new IllegalArgumentException(
                "entity %s does not fit the database: %s. Generate the entity again, or change the table"
                        .formatted(entity, cause));
    }

    private static String kind(Field<?, ?> field) {
        String kind = field.getClass().getSimpleName();
        return field instanceof ValueField<?, ?> f
                ? kind + " of " + f.type().getSimpleName()
                : kind;
    }

    private static List<ColumnType> types(Field<?, ?> field) {
        return switch (field) {
            case IntField<?> _ -> List.of(ColumnType.INT);
            case LongField<?> _ -> List.of(ColumnType.LONG, ColumnType.INT);
            case FloatField<?> _ -> List.of(ColumnType.FLOAT);
            case DoubleField<?> _ -> List.of(ColumnType.DOUBLE);
            case BooleanField<?> _ -> List.of(ColumnType.BOOLEAN, ColumnType.INT);
            case CharField<?> _ -> List.of(ColumnType.TEXT);
            case TextField<?> _, EnumField<?, ?> _ ->
                    List.of(ColumnType.TEXT, ColumnType.JSON, ColumnType.OTHER);
            case BinaryField<?> _ -> List.of(ColumnType.BINARY);
            case ValueField<?, ?> f -> List.of(type(f.type()));
        };
    }

    private static ColumnType type(Class<?> type) {
        if (type == BigDecimal.class || type == BigInteger.class) {
            return ColumnType.DECIMAL;
        }
        if (type == LocalDate.class) {
            return ColumnType.DATE;
        }
        if (type == LocalTime.class) {
            return ColumnType.TIME;
        }
        if (type == LocalDateTime.class) {
            return ColumnType.TIMESTAMP;
        }
        return type == Instant.class ? ColumnType.TIMESTAMP_UTC : ColumnType.UUID;
    }

    /** Returns the engine that answers. */
    public Engine engine() {
        return engine;
    }

    /** Returns the entity that a row becomes. */
    public Entity<R> entity() {
        return entity;
    }

    /** Returns the reader of an entity from a row with the fields' columns, whose errors name the field. */
    public RowReader<R> reader() {
        return reader;
    }

    Table table() {
        return table;
    }

    /** Returns whether the entities have all of the table's key, so that no two are equal. */
    public boolean hasKey() {
        return !table.key().isEmpty()
                && columns.values().stream()
                        .map(MappedColumn::name)
                        .collect(Collectors.toSet())
                        .containsAll(table.key());
    }

    /** Returns the plan of every row, with the columns that the entity's reader reads. */
    public Plan allRows() {
        return all;
    }

    /** Returns the column of a field. */
    public Column column(Field<?, ?> field) {
        return mapped(field).column();
    }

    private MappedColumn mapped(Field<?, ?> field) {
        check(field);
        MappedColumn mapped = columns.get(field.column());
        if (mapped == null) {
            throw foreign(field);
        }
        return mapped;
    }

    /** Fails if a field is not one of the entity's. Where there are shortcuts, only they look for its column. */
    public void check(Field<?, ?> field) {
        if (field.entity() != entity.type()
                || (!hasShortcuts && !columns.containsKey(field.column()))) {
            throw foreign(field);
        }
    }

    private IllegalArgumentException foreign(Field<?, ?> field) {
        return new IllegalArgumentException(
                "a stream of table %s uses %s, which is no field of its entity %s; use one of that"
                        .formatted(entity.table(), field, entity.type().getSimpleName()));
    }

    public List<Plan.Item> items(List<? extends Field<R, ?>> fields) {
        List<Plan.Item> items = new ArrayList<>();
        for (Field<R, ?> field : fields) {
            items.add(item(field));
        }
        return items;
    }

    public Plan.Item item(Field<?, ?> field) {
        return mapped(field).item();
    }

    /** Returns the engine that is asked in the end. */
    public Engine asked() {
        return subqueries.asked();
    }

    /** Returns the reasons why values of streams that a condition compares with are read before the query. */
    public List<String> readings(Condition<?> condition) {
        List<String> readings = new ArrayList<>();
        Predicate _ = predicate(condition, readings::add);
        return readings;
    }

    /**
     * Adds what is told of the values of streams that a condition compares with where the JVM tests it: all of them are
     * read first. The condition may be on another entity, which code made of this one.
     *
     * @param told is added to, but for the columns of which it tells already
     */
    public void addReadings(Condition<?> condition, List<String> told) {
        if (condition.fieldCondition() != null) {
            return;
        }
        Subquery.each(
                condition.predicate(),
                in -> {
                    MappedColumn mapped =
                            condition.entity() == entity.type() ? columns.get(in.column()) : null;
                    String name = mapped == null ? in.column() : mapped.name();
                    String known = SubqueryMapper.reading(name, "");
                    if (told.stream().noneMatch(each -> each.startsWith(known))) {
                        told.add(SubqueryMapper.reading(name, "the JVM tests the condition"));
                    }
                });
    }

    /**
     * Maps a condition to the table's columns without reading anything.
     *
     * @param unread is told why values of streams would be read, of which the result says nothing
     */
    public Predicate predicate(Condition<?> condition, Consumer<String> unread) {
        requireSameEntity(condition);
        return condition.fieldCondition() != null
                ? predicates.map(condition.predicate())
                : new PredicateMapper(
                                entity,
                                columns,
                                (in, column) -> subqueries.unread(in, column, unread))
                        .map(condition.predicate());
    }

    /** Maps a condition to the table's columns; values of streams that are no part of the query are read for it. */
    public Predicate predicate(Condition<?> condition) {
        requireSameEntity(condition);
        return predicates.map(condition.predicate());
    }

    /** Fails if a condition is not one on the entity's fields, as {@link #check(Field)} does. */
    public void check(Condition<?> condition) {
        requireSameEntity(condition);
        FieldCondition<?> single = condition.fieldCondition();
        if (single != null) {
            check(single.field());
        } else {
            names.map(condition.predicate());
        }
    }

    /** Fails if a condition is on another entity. */
    public void requireSameEntity(Condition<?> condition) {
        if (condition.entity() != entity.type()) {
            throw new IllegalArgumentException(
                    "a stream of table %s (entity %s) has a condition on %s; use the fields of its own entity"
                            .formatted(
                                    entity.table(),
                                    entity.type().getSimpleName(),
                                    condition.entity().getSimpleName()));
        }
    }

    /** Returns whether the database tells the values of a field apart just as the JVM does. */
    public boolean isExact(Field<?, ?> field) {
        return !(field instanceof BooleanField<?>) || !mapped(field).isTruth();
    }

    /**
     * Returns whether the database has the same least and greatest value of a field as the JVM, and sorts by it as a
     * text, number or time.
     */
    public boolean isSortable(Field<?, ?> field) {
        return isExact(field)
                && (!(field instanceof EnumField<?, ?> constants) || constants.isInOrderOfTexts());
    }

    /** Maps an order to the table's columns, all of which the database sorts as the JVM does. */
    public List<Plan.Order> order(FieldOrder<?> order) {
        List<? extends FieldOrder.Key<?>> keys = order.keys();
        Plan.Order[] all = new Plan.Order[keys.size()];
        for (int i = 0; i < all.length; i++) {
            FieldOrder.Key<?> key = keys.get(i);
            String name = mapped(key.field()).name();
            boolean isNative = !isSortable(key.field());
            all[i] = new Plan.Order(name, key.descending(), key.nullsFirst(), isNative);
        }
        return List.of(all);
    }

    /** Returns the first field that the database sorts otherwise; null where there is none. */
    public @Nullable Field<?, ?> unsortable(FieldOrder<?> order) {
        FieldOrder.Key<?> only = order.only();
        if (only != null) {
            return unsortable(only.field());
        }
        for (FieldOrder.Key<?> key : order.keys()) {
            Field<?, ?> field = unsortable(key.field());
            if (field != null) {
                return field;
            }
        }
        return null;
    }

    /** Returns the field if the database sorts by it otherwise; else null. */
    public @Nullable Field<?, ?> unsortable(Field<?, ?> field) {
        check(field);
        return isSortable(field) || isSortedByItsType(field) ? null : field;
    }

    /**
     * Returns whether the column is an enum in the database, whose labels are declared in the order of the field's
     * constants.
     */
    private boolean isSortedByItsType(Field<?, ?> field) {
        return field instanceof EnumField<?, ?> constants
                && constants.isInOrderOf(column(field).nativeType().labels())
                && engine.hasNativeOrder(table);
    }
}
