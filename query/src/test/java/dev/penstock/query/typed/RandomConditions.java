package dev.penstock.query.typed;

import dev.penstock.query.typed.RandomTable.Holds;
import dev.penstock.query.typed.RandomTable.Row;
import dev.penstock.query.typed.field.Calculation;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.Numeric;
import dev.penstock.query.typed.field.RangeBounds;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import java.util.ArrayList;
import java.util.List;

/** Random conditions on the rows of a random table. */
final class RandomConditions {
    /**
     * A condition with its words.
     *
     * @param text in words
     * @param condition to test
     */
    record Named(String text, Condition<Row> condition) {
        @Override
        public String toString() {
            return text;
        }
    }

    private final Choices choices;
    private final RandomTable table;

    RandomConditions(Choices choices, RandomTable table) {
        this.choices = choices;
        this.table = table;
    }

    Named next(int depth) {
        return switch (choices.next(depth > 0 ? 8 : 5)) {
            case 5 -> {
                Named inner = next(depth - 1);
                yield new Named("not (" + inner + ")", inner.condition.negate());
            }
            case 6 -> {
                Named a = next(depth - 1);
                Named b = next(depth - 1);
                yield new Named("(" + a + " and " + b + ")", a.condition.and(b.condition));
            }
            case 7 -> {
                Named a = next(depth - 1);
                Named b = next(depth - 1);
                yield new Named("(" + a + " or " + b + ")", a.condition.or(b.condition));
            }
            case 4 -> special();
            default -> {
                int column = choices.next(table.fields().size());
                yield compared(table.fields().get(column), table.types().get(column));
            }
        };
    }

    @SuppressWarnings("unchecked")
    private <V> Named compared(Field<Row, V> field, Holds type) {
        List<V> values = (List<V>) RandomTable.values(type, false);
        V a = choices.of(values);
        V b = choices.of(values);
        RangeBounds inclusion = choices.of(List.of(RangeBounds.values()));
        return switch (choices.next(14)) {
            case 0 -> named(field, "=", a, field.equal(a));
            case 1 -> named(field, "<>", a, field.notEqual(a));
            case 2 -> named(field, "<", a, field.lessThan(a));
            case 3 -> named(field, "<=", a, field.lessOrEqual(a));
            case 4 -> named(field, ">", a, field.greaterThan(a));
            case 5 -> named(field, ">=", a, field.greaterOrEqual(a));
            case 6 -> new Named(field + " isNull", field.isNull());
            case 7 -> new Named(field + " isNotNull", field.isNotNull());
            case 8 -> {
                List<V> several = several(values);
                yield named(field, "in", several, field.in(several));
            }
            case 9 -> {
                List<V> several = several(values);
                yield named(field, "notIn", several, field.notIn(several));
            }
            case 10 -> named(field, "in", List.of(), field.in(List.of()));
            case 11 -> named(field, "notIn", List.of(), field.notIn(List.of()));
            case 12 ->
                    named(
                            field,
                            "between " + inclusion,
                            List.of(a, b),
                            field.between(a, b, inclusion));
            default ->
                    named(
                            field,
                            "notBetween " + inclusion,
                            List.of(a, b),
                            field.notBetween(a, b, inclusion));
        };
    }

    /** So many that their number is around one at which lists are treated in another way. */
    private <V> List<V> several(List<V> values) {
        int count = choices.of(Lengths.around(Lengths.LISTS));
        List<V> several = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            several.add(choices.of(values));
        }
        return several;
    }

    private static Named named(
            Field<Row, ?> field, String operation, Object value, Condition<Row> condition) {
        return new Named(field + " " + operation + " " + RandomProgram.text(value), condition);
    }

    private static boolean isExact(Field<Row, ?> field) {
        return field instanceof IntField<?>
                || field instanceof LongField<?>
                || (field instanceof ValueField<?, ?> f && f.type() == java.math.BigDecimal.class);
    }

    /** Parts of texts, fields against fields, arithmetic; where there is nothing of the sort, something plain. */
    @SuppressWarnings("unchecked") // the fields are those of rows
    private Named special() {
        Field<Row, ?> field = choices.of(table.fields());
        return switch (field) {
            case TextField<?> text -> part((TextField<Row>) text);
            case Numeric<?> f when isExact(field) -> number(field, (Numeric<Row>) f);
            default -> against(field);
        };
    }

    private Named part(TextField<Row> field) {
        String part = choices.of(RandomTable.TEXTS);
        return switch (choices.next(13)) {
            case 0 -> named(field, "startsWith", part, field.startsWith(part));
            case 1 -> named(field, "endsWith", part, field.endsWith(part));
            case 2 -> named(field, "contains", part, field.contains(part));
            case 3 -> named(field, "startsWithIgnoreCase", part, field.startsWithIgnoreCase(part));
            case 4 -> named(field, "endsWithIgnoreCase", part, field.endsWithIgnoreCase(part));
            case 5 -> named(field, "containsIgnoreCase", part, field.containsIgnoreCase(part));
            case 6 -> named(field, "equalIgnoreCase", part, field.equalIgnoreCase(part));
            case 7 -> named(field, "notStartsWith", part, field.notStartsWith(part));
            case 8 -> named(field, "notContains", part, field.notContains(part));
            case 9 -> named(field, "notEqualIgnoreCase", part, field.notEqualIgnoreCase(part));
            case 10 -> named(field, "isEmpty", "", field.isEmpty());
            case 11 -> named(field, "matches", "a.*", field.matches("a.*"));
            default -> against(field);
        };
    }

    private static Object kind(Field<?, ?> field) {
        return field instanceof ValueField<?, ?> f ? f.type() : field.getClass();
    }

    private <V> Named against(Field<Row, V> field) {
        List<Field<Row, V>> others = new ArrayList<>();
        for (Field<Row, ?> other : table.fields()) {
            if (kind(other).equals(kind(field))) {
                @SuppressWarnings("unchecked")
                Field<Row, V> same = (Field<Row, V>) other;
                others.add(same);
            }
        }
        Field<Row, V> other = choices.of(others);
        return switch (choices.next(6)) {
            case 0 -> named(field, "=", other, field.equal(other));
            case 1 -> named(field, "<>", other, field.notEqual(other));
            case 2 -> named(field, "<", other, field.lessThan(other));
            case 3 -> named(field, "<=", other, field.lessOrEqual(other));
            case 4 -> named(field, ">", other, field.greaterThan(other));
            default -> named(field, ">=", other, field.greaterOrEqual(other));
        };
    }

    @SuppressWarnings("unchecked") // the fields are those of rows
    private Named number(Field<Row, ?> field, Numeric<Row> number) {
        List<Numeric<Row>> others = new ArrayList<>();
        for (Field<Row, ?> other : table.fields()) {
            if (isExact(other)) {
                others.add((Numeric<Row>) other);
            }
        }
        Numeric<Row> other = choices.of(others);
        long value = choices.of(List.of(0L, 1L, -3L, 60L, Long.MAX_VALUE));
        Calculation<Row> left =
                switch (choices.next(4)) {
                    case 0 -> number.plus(value);
                    case 1 -> number.minus(other);
                    case 2 -> number.times(other);
                    default -> number.number();
                };
        String text = field + " with " + other + " and " + value;
        return switch (choices.next(6)) {
            case 0 -> new Named(text + " =", left.equal(other));
            case 1 -> new Named(text + " <>", left.notEqual(value));
            case 2 -> new Named(text + " <", left.lessThan(other));
            case 3 -> new Named(text + " <= value", left.lessOrEqual(value));
            case 4 -> new Named(text + " > other + 1", left.greaterThan(other.plus(1)));
            default -> new Named(text + " >= value", left.greaterOrEqual(value));
        };
    }
}
