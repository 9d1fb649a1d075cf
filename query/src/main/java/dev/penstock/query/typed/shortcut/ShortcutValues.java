package dev.penstock.query.typed.shortcut;

import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.List;
import java.util.stream.Stream;

/** A stream of a field's values of all rows of a table that has {@link Shortcuts}. */
final class ShortcutValues<T, V> extends RowRecorder<V> {
    private final EntityMapping<T> table;
    private final Shortcuts shortcuts;
    private final Field<T, V> field;

    ShortcutValues(
            EntityMapping<T> table, Shortcuts shortcuts, StreamContext context, Field<T, V> field) {
        super(context);
        this.table = table;
        this.shortcuts = shortcuts;
        this.field = field;
    }

    /** Returns whether a field has values that are never null and that every engine sorts and tells apart alike. */
    static boolean isAlikeEverywhere(Field<?, ?> field) {
        return !field.isNullable() && ShortcutPairRows.isOrdered(field);
    }

    @Override
    protected Recording<?> recorded() {
        return values(table, field);
    }

    private static <R> Recording<R> values(EntityMapping<R> table, Field<?, ?> field) {
        return Recording.of(table)
                .then(new StreamOperation.Project(field, StreamOperation.Shape.OBJECT));
    }

    @Override
    public Stream<V> distinct() {
        link();
        return new Distinct<>(table, shortcuts, context, field, false);
    }

    /** A stream of the different values, perhaps in their order. */
    private static final class Distinct<T, V> extends RowRecorder<V> {
        private final EntityMapping<T> table;
        private final Shortcuts shortcuts;
        private final Field<T, V> field;
        private final boolean isSorted;

        Distinct(
                EntityMapping<T> table,
                Shortcuts shortcuts,
                StreamContext context,
                Field<T, V> field,
                boolean isSorted) {
            super(context);
            this.table = table;
            this.shortcuts = shortcuts;
            this.field = field;
            this.isSorted = isSorted;
        }

        @Override
        protected Recording<?> recorded() {
            Recording<T> distinct = values(table, field).then(new StreamOperation.Distinct());
            return isSorted ? distinct.then(new StreamOperation.NaturallySorted(false)) : distinct;
        }

        @Override
        public Stream<V> sorted() {
            if (isSorted) {
                return super.sorted();
            }
            link();
            return new Distinct<>(table, shortcuts, context, field, true);
        }

        @Override
        public List<V> toList() {
            List<V> known = isSorted ? shortcuts.distinct(field) : null;
            if (known == null) {
                return super.toList();
            }
            link();
            return known;
        }
    }
}
