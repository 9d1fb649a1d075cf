package dev.penstock.query.typed.mapping;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.mapping.PredicateMapper.MappedColumn;
import dev.penstock.query.typed.subquery.StreamSubquery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The mapper of conditions on the values of streams: to a subquery, which is part of the query, or where that can't be
 * to the values themselves, which are read before it.
 *
 * @param engine what is asked
 * @param asked what that stands for
 * @param entity the entity of the stream that is filtered
 * @param table its table
 * @param readings is told why values are read
 */
record SubqueryMapper(
        Engine engine, Engine asked, Entity<?> entity, Table table, Consumer<String> readings) {
    /** Maps a condition, and reads the values where they are no part of the query. */
    Predicate map(Predicate.InSubquery in, MappedColumn column) {
        return map(in, column, readings, true);
    }

    /**
     * Maps a condition without reading anything.
     *
     * @param unread is told why values would be read, of which the result says nothing
     */
    Predicate unread(Predicate.InSubquery in, MappedColumn column, Consumer<String> unread) {
        return map(in, column, unread, false);
    }

    /**
     * Maps a condition. Its subquery is planned once: where conditions are nested, planning it twice at each level
     * would double the work with each.
     *
     * @param reads whether values are read; else the condition is none where they would be
     */
    private Predicate map(
            Predicate.InSubquery in, MappedColumn column, Consumer<String> told, boolean reads) {
        if (!(in.subquery() instanceof StreamSubquery subquery)) {
            throw new IllegalArgumentException(
                    "a condition on table %s looks column %s up in a plan; a condition on fields takes a stream"
                            .formatted(entity.table(), in.column()));
        }
        String why;
        switch (subquery.planning(asked)) {
            case StreamSubquery.Planning.ReadFirst(String reason) -> why = reason;
            case StreamSubquery.Planning.Planned(Plan plan, Function<?, ?> field) -> {
                Predicate.InSubquery planned = new Predicate.InSubquery(column.name(), plan);
                why = obstacle(in, column, planned, field);
                if (why == null) {
                    return planned;
                }
            }
            case StreamSubquery.Planning.PlannedAfterReading(
                            List<String> reasons,
                            Supplier<Plan> plan,
                            Function<?, ?> field) -> {
                reasons.forEach(told);
                if (!reads) {
                    return Predicate.ALL;
                }
                Predicate.InSubquery planned = new Predicate.InSubquery(column.name(), plan.get());
                why = obstacle(in, column, planned, field);
                if (why == null) {
                    return planned;
                }
            }
        }
        told.accept(reading(column.name(), why));
        return reads
                ? new Predicate.In(in.column(), values(field(in.column()), subquery))
                : Predicate.ALL;
    }

    /** Returns what is told of values that are read. */
    static String reading(String column, String why) {
        return "the values for " + column + " in …: " + why;
    }

    /** Returns why planned values are read all the same; null if they are part of the query. */
    private @Nullable String obstacle(
            Predicate.InSubquery in,
            MappedColumn column,
            Predicate.InSubquery planned,
            Function<?, ?> field) {
        if (column.isTruth()) {
            return "column " + column.name() + " holds truth values as numbers";
        }
        return haveSameTexts(field(in.column()), field)
                ? refusal(planned)
                : "the two columns have other texts for the same constants";
    }

    private @Nullable String refusal(Predicate.InSubquery in) {
        try {
            return engine.superset(table, in).equals(in)
                    ? null
                    : engine.name() + " can't do all of their query exactly";
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.INVALID_PLAN) {
                throw e;
            }
            return String.valueOf(e.getMessage());
        }
    }

    private static boolean haveSameTexts(Field<?, ?> field, Function<?, ?> other) {
        if (!(field instanceof EnumField<?, ?> one)) {
            return true;
        }
        return other instanceof EnumField<?, ?> two && texts(one).equals(texts(two));
    }

    private static <E extends Enum<E>> List<String> texts(EnumField<?, E> field) {
        List<String> texts = new ArrayList<>();
        for (E constant : field.type().getEnumConstants()) {
            texts.add(field.text().apply(constant));
        }
        return texts;
    }

    private Field<?, ?> field(String column) {
        Field<?, ?> found = null;
        for (Field<?, ?> field : entity.fields()) {
            if (field.column().equals(column)) {
                found = field;
            }
        }
        return requireNonNull(found, column);
    }

    @SuppressWarnings("unchecked") // the stream's values are those of the field
    private static <V> List<Object> values(Field<?, V> field, StreamSubquery subquery) {
        Set<V> all = (Set<V>) subquery.values();
        List<Object> values = new ArrayList<>(all.size());
        for (V value : all) {
            values.add(field.planValue(value));
        }
        return values;
    }
}
