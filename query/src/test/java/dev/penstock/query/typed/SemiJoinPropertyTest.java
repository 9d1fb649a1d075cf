package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.RandomTable.Row;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.ValueField;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conditions on the values of a stream of a random table mean on every database what they mean on a list of its rows,
 * whatever the types of both columns. The seed of a failure is told.
 */
class SemiJoinPropertyTest {
    private static final int TABLES =
            Integer.getInteger("penstock.tables", Boolean.getBoolean("penstock.soak") ? 500 : 6);
    private static final int CONDITIONS_A_TABLE = 60;

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2", "POSTGRESQL", "MARIADB"})
    void condition_onAStreamAtRandom_meansWhatItMeansOnLists(Kind kind) throws SQLException {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        try (TestDatabase server = TestDatabase.create(kind)) {
            for (int i = 0; i < TABLES; i++) {
                RandomTable table = new RandomTable(kind, "t" + i, new Random(seed + i));
                table.create(server);
                check(table, Database.connect(server.pooled()), seed + i, CONDITIONS_A_TABLE);
                server.execute("drop table t" + i);
            }
        }
    }

    /** That conditions on streams of an engine mean what they mean on lists of its rows. */
    static void check(RandomTable table, Engine engine, long seed, int conditions) {
        TypedTable<Row> typed = TypedTable.of(engine, table.entity());
        List<Row> rows = new ArrayList<>(typed.stream().toList());
        rows.sort(table.fields().getFirst());
        Random random = new Random(seed);
        for (int i = 0; i < conditions; i++) {
            Choices choices = Choices.of(random);
            Field<Row, ?> outer = choices.of(table.fields());
            check(
                    table,
                    typed,
                    rows,
                    choices,
                    outer,
                    "-Dpenstock.seed=%d -Dpenstock.tables=1, condition %d".formatted(seed, i));
        }
    }

    private static <V> void check(
            RandomTable table,
            TypedTable<Row> typed,
            List<Row> rows,
            Choices choices,
            Field<Row, V> outer,
            String shown) {
        List<Field<Row, V>> same = new ArrayList<>();
        for (Field<Row, ?> each : table.fields()) {
            if (kind(each).equals(kind(outer))) {
                @SuppressWarnings("unchecked")
                Field<Row, V> field = (Field<Row, V>) each;
                same.add(field);
            }
        }
        Field<Row, V> inner = choices.of(same);
        RandomConditions.Named filter = new RandomConditions(choices, table).next(1);
        int cut = choices.next(4);
        int skipped = choices.next(3);
        int kept = choices.of(List.of(0, 1, 5, 40));
        UnaryOperator<Stream<Row>> program =
                stream ->
                        switch (cut) {
                            case 0 ->
                                    stream.sorted(order(table))
                                            .skip(skipped)
                                            .limit(kept)
                                            .filter(filter.condition());
                            case 1 ->
                                    stream.filter(filter.condition())
                                            .sorted(order(table))
                                            .limit(kept);
                            case 2 -> stream;
                            default -> stream.filter(filter.condition());
                        };
        List<V> values = program.apply(rows.stream()).map(inner).filter(Objects::nonNull).toList();
        boolean negated = choices.next(2) == 0;
        boolean complement = choices.next(3) == 0;
        Stream<V> all = program.apply(typed.stream()).map(inner);
        Stream<V> asked = choices.next(4) == 0 ? all.distinct() : all;
        Condition<Row> condition = negated ? outer.notIn(asked) : outer.in(asked);
        Condition<Row> expected = negated ? outer.notIn(values) : outer.in(values);
        Condition<Row> tested = complement ? condition.negate() : condition;
        int most = choices.next(3) == 0 ? choices.next(30) : Integer.MAX_VALUE;
        UnaryOperator<Stream<Row>> outermost =
                stream ->
                        most < Integer.MAX_VALUE ? stream.sorted(order(table)).limit(most) : stream;
        List<Object> keys =
                outermost
                        .apply(typed.stream())
                        .filter(tested)
                        .sorted(order(table))
                        .map(key(table))
                        .toList();
        assertThat(keys)
                .as(
                        "%s: of %d %s %s in %s, cut %d, of %s%n%s",
                        shown,
                        most,
                        outer,
                        negated ? "not" : "",
                        inner,
                        cut,
                        filter,
                        typed.explain(outermost.apply(typed.stream()).filter(tested)))
                .isEqualTo(
                        outermost
                                .apply(rows.stream())
                                .filter(complement ? expected.negate() : expected)
                                .map(key(table))
                                .toList());
    }

    private static Comparator<Row> order(RandomTable table) {
        return table.fields().getFirst();
    }

    @SuppressWarnings("unchecked") // the key is any object
    private static Field<Row, Object> key(RandomTable table) {
        return (Field<Row, Object>) table.fields().getFirst();
    }

    private static Object kind(Field<?, ?> field) {
        return field instanceof ValueField<?, ?> f ? f.type() : field.getClass();
    }
}
