package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ACTIVE;
import static dev.penstock.query.typed.Thing.COLOR;
import static dev.penstock.query.typed.Thing.DAY;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static dev.penstock.query.typed.Thing.PICTURE;
import static dev.penstock.query.typed.Thing.PRICE;
import static dev.penstock.query.typed.Thing.RATIO;
import static dev.penstock.query.typed.Thing.SIZE;
import static dev.penstock.query.typed.Thing.WEIGHT;
import static dev.penstock.query.typed.aggregate.Aggregates.all;
import static dev.penstock.query.typed.aggregate.Aggregates.average;
import static dev.penstock.query.typed.aggregate.Aggregates.both;
import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.filtered;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;
import static dev.penstock.query.typed.aggregate.Aggregates.max;
import static dev.penstock.query.typed.aggregate.Aggregates.min;
import static dev.penstock.query.typed.aggregate.Aggregates.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.Thing.Color;
import dev.penstock.query.typed.aggregate.AggregateCollector;
import dev.penstock.query.typed.field.LongField;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Aggregates mean on a database what they mean as collectors of a list. */
class AggregatesTest {
    private static final List<Thing> LIST = Things.some(60);

    private static final List<AggregateCollector<Thing, ?>> AGGREGATES =
            List.of(
                    count(),
                    count(LENGTH),
                    sum(LENGTH),
                    sum(SIZE),
                    sum(WEIGHT),
                    sum(RATIO),
                    sum(PRICE),
                    average(LENGTH),
                    average(SIZE),
                    average(WEIGHT),
                    average(RATIO),
                    average(PRICE),
                    min(LENGTH),
                    max(NAME),
                    min(DAY),
                    max(PRICE),
                    max(COLOR),
                    filtered(ACTIVE.isTrue(), count()),
                    filtered(LENGTH.greaterThan(60), filtered(ACTIVE.isFalse(), max(NAME))),
                    both(sum(LENGTH), count(), (s, n) -> s + "/" + n),
                    all(count(), min(ID), max(ID), filtered(NAME.isNull(), count())));

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2", "POSTGRESQL", "MARIADB"})
    void aggregate_ofADatabase_isThatOfAList(Kind kind) throws SQLException {
        try (TestDatabase server = TestDatabase.create(kind)) {
            Things.create(server, LIST);
            TypedTable<Thing> things =
                    TypedTable.of(Database.connect(server.dataSource()), Thing.TABLE);
            for (AggregateCollector<Thing, ?> aggregate : AGGREGATES) {
                same(things, aggregate);
                same(things, groupingBy(NAME, aggregate));
                same(things, groupingBy(List.of(ACTIVE, COLOR), aggregate));
                same(things, groupingBy(ACTIVE, groupingBy(COLOR, aggregate)));
            }
        }
    }

    private static void same(TypedTable<Thing> things, Collector<Thing, ?, ?> aggregate) {
        assertThat(things.stream().collect(aggregate))
                .usingRecursiveComparison()
                .isEqualTo(LIST.stream().collect(aggregate));
        assertThat(things.stream().filter(ID.lessThan(0)).collect(aggregate))
                .usingRecursiveComparison()
                .isEqualTo(LIST.stream().filter(ID.lessThan(0)).collect(aggregate));
        assertThat(
                        things.stream()
                                .filter(LENGTH.isNotNull())
                                .sorted(SIZE.reversed())
                                .limit(20)
                                .collect(aggregate))
                .usingRecursiveComparison()
                .isEqualTo(
                        LIST.stream()
                                .filter(LENGTH.isNotNull())
                                .sorted(SIZE.reversed())
                                .limit(20)
                                .collect(aggregate));
    }

    @Test
    void grouping_ofAList_hasNullKeysAndNests() {
        Map<Color, Long> colors = LIST.stream().collect(groupingBy(COLOR, count()));
        assertThat(colors).containsEntry(null, 15L).hasSize(4);
        Map<Boolean, Map<Color, Long>> nested =
                LIST.stream().collect(groupingBy(ACTIVE, groupingBy(COLOR, count())));
        assertThat(nested.get(true).values().stream().mapToLong(n -> n).sum()).isEqualTo(20);
        Map<List<Object>, Long> pairs =
                LIST.stream().collect(groupingBy(List.of(ACTIVE, COLOR), count()));
        assertThat(pairs).containsEntry(Arrays.asList(true, null), 5L);
        assertThat(LIST.parallelStream().collect(groupingBy(NAME, all(count(), max(ID)))))
                .isEqualTo(LIST.stream().collect(groupingBy(NAME, all(count(), max(ID)))));
        assertThat(LIST.stream().collect(Collectors.partitioningBy(ACTIVE.isTrue(), count())))
                .containsEntry(true, 20L);
    }

    @Test
    void aggregate_ofNothing_isZeroOrEmpty() {
        List<Thing> none = List.of();
        assertThat(none.stream().collect(sum(PRICE))).isZero();
        assertThat(none.stream().collect(average(LENGTH))).isEqualTo(OptionalDouble.empty());
        assertThat(none.stream().collect(max(NAME))).isEmpty();
    }

    @Test
    void grouping_byBytes_failsAtOnce() {
        assertThatThrownBy(() -> groupingBy(PICTURE, count()))
                .hasMessageContaining("Thing.picture");
        assertThatThrownBy(() -> groupingBy(List.of(), count()))
                .hasMessageContaining("grouping by no field");
    }

    @Test
    void sum_ofLongs_isOnlyTooMuchAsAWhole() {
        record Amount(long cents) {}
        LongField<Amount> cents = LongField.of(Amount.class, "cents", Amount::cents);
        List<Amount> amounts =
                Stream.of(Long.MAX_VALUE, 5L, -3L, Long.MIN_VALUE, -1L, Long.MAX_VALUE)
                        .map(Amount::new)
                        .toList();
        assertThat(amounts.stream().collect(sum(cents))).isEqualTo(Long.MAX_VALUE);
        assertThat(amounts.parallelStream().collect(sum(cents))).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> amounts.stream().limit(2).collect(sum(cents)))
                .isInstanceOf(ArithmeticException.class);
    }
}
