package dev.penstock.snapshot.shortcut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.RangeBounds;
import dev.penstock.query.typed.shortcut.ShortcutEngine;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.snapshot.Snapshot;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of rows that pass two conditions, counted by numbers on the heap. */
class PairCountsTest {
    private static List<Condition<Item>> conditions() {
        List<Condition<Item>> all =
                new ArrayList<>(
                        List.of(
                                Item.COLOR.equal(Item.Color.GREEN),
                                Item.COLOR.equal(Item.Color.MISSING),
                                Item.COLOR.notEqual(Item.Color.RED),
                                Item.COLOR.lessThan(Item.Color.BLUE),
                                Item.STARS.equal(3),
                                Item.STARS.equal(6),
                                Item.STARS.notEqual(2),
                                Item.LONG_STARS.lessThan(5_000_000_000L),
                                Item.LONG_STARS.equal(5_000_000_000L),
                                Item.LONG_STARS.between(2L, 5_000_000_000L),
                                Item.STARS.between(1, 4),
                                Item.STARS.between(4, 1),
                                Item.STARS.in(1, 5),
                                Item.SIZE.isNotNull(),
                                Item.NAME.startsWith("item 1"),
                                Item.WEIGHT.equal(Long.MAX_VALUE),
                                Item.WEIGHT.greaterOrEqual(Long.MAX_VALUE - 4),
                                Item.PRICE.equal(new BigDecimal("0.01")),
                                Item.PRICE.equal(new BigDecimal("0.010")),
                                Item.PRICE.lessThan(new BigDecimal("0.0234")),
                                Item.PRICE.lessOrEqual(new BigDecimal("-7")),
                                Item.DAY.greaterThan(LocalDate.of(2024, 2, 24)),
                                Item.DAY.between(
                                        LocalDate.of(2024, 2, 21),
                                        LocalDate.of(2024, 2, 23),
                                        RangeBounds.START_INCLUSIVE_END_INCLUSIVE)));
        for (int v : new int[] {Integer.MIN_VALUE, -30, 0, 48, Integer.MAX_VALUE}) {
            all.addAll(
                    List.of(
                            Item.SIZE.equal(v),
                            Item.SIZE.lessThan(v),
                            Item.SIZE.lessOrEqual(v),
                            Item.SIZE.greaterThan(v),
                            Item.SIZE.greaterOrEqual(v)));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 700, 6000})
    void count_ofTwoConditions_isThatOfAList(int rows) {
        List<Item> items = Item.items(rows, new Random(rows));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            for (Condition<Item> one : conditions()) {
                for (Condition<Item> other : conditions()) {
                    long expected = items.stream().filter(one).filter(other).count();
                    // By a plan, which makes the index, and by that.
                    for (int again = 0; again < 2; again++) {
                        assertThat(table.stream().filter(one).filter(other).count())
                                .as("%s, %s", one.predicate(), other.predicate())
                                .isEqualTo(expected);
                        assertThat(table.stream().filter(one.and(other)).count())
                                .as("%s and %s", one.predicate(), other.predicate())
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }

    private static long counted(
            TypedTable<Item> table, Condition<Item> one, Condition<Item> other) {
        Shortcuts shortcuts = ((ShortcutEngine) table.engine()).shortcuts(Item.TABLE);
        return Objects.requireNonNull(shortcuts).count(field(one), field(other));
    }

    private static FieldCondition<Item> field(Condition<Item> condition) {
        return Objects.requireNonNull(condition.fieldCondition());
    }

    @Test
    void count_ofTwoConditions_isKnownOnceThereIsAnIndexOfBoth() {
        List<Item> items = Item.items(6000, new Random(1));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            Condition<Item> one = Item.COLOR.equal(Item.Color.BLUE);
            Condition<Item> other = Item.SIZE.greaterThan(-7);
            long expected = items.stream().filter(one).filter(other).count();
            assertThat(counted(table, one, other)).isEqualTo(Shortcuts.UNKNOWN);
            assertThat(table.stream().filter(one).filter(other).count()).isEqualTo(expected);
            assertThat(counted(table, one, other)).isEqualTo(expected);
            assertThat(counted(table, other, one)).isEqualTo(expected);
            assertThat(counted(table, one, Item.STARS.equal(1))).isEqualTo(Shortcuts.UNKNOWN);
            assertThat(counted(table, other, other)).isEqualTo(Shortcuts.UNKNOWN);
            for (Condition<Item> price :
                    List.of(
                            Item.PRICE.equal(new BigDecimal("0.010")),
                            Item.PRICE.lessThan(new BigDecimal("0.0234")),
                            Item.PRICE.greaterThan(new BigDecimal("-7")))) {
                long all = items.stream().filter(one).filter(price).count();
                assertThat(table.stream().filter(one).filter(price).count()).isEqualTo(all);
                assertThat(counted(table, one, price)).isEqualTo(all);
            }
        }
    }

    @Test
    @SuppressWarnings("try") // it is closed before it goes
    void answers_afterARefresh_areThoseOfTheNewVersion() {
        List<Item> items = Item.items(6000, new Random(3));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> _ = Item.load(server, items);
            TypedTable<Item> database =
                    TypedTable.of(Database.connect(server.dataSource()), Item.TABLE);
            Condition<Item> one = Item.COLOR.equal(Item.Color.RED);
            Condition<Item> other = Item.STARS.greaterThan(2);
            try (Snapshot snapshot =
                    Snapshot.load(Database.connect(server.dataSource()), Item.TABLE)) {
                TypedTable<Item> table = snapshot.table(Item.TABLE);
                for (int change = 0; change < 3; change++) {
                    for (int again = 0; again < 2; again++) {
                        assertThat(table.stream().filter(one).filter(other).count())
                                .isEqualTo(database.stream().filter(one).filter(other).count());
                        assertThat(table.stream().map(Item.STARS).distinct().sorted().toList())
                                .isEqualTo(
                                        database.stream()
                                                .map(Item.STARS)
                                                .distinct()
                                                .sorted()
                                                .toList());
                        assertThat(table.stream().filter(Item.ID.in(5, 7)).toList())
                                .isEqualTo(
                                        database.stream()
                                                .filter(Item.ID.in(5, 7))
                                                .sorted(Item.ID)
                                                .toList());
                    }
                    server.execute(
                            "update items set stars = stars + 1, color = 'RED' where mod(id, 7) = 0",
                            "delete from items where id = 5");
                    snapshot.refresh();
                }
                snapshot.close();
                assertThatThrownBy(() -> table.stream().filter(one).filter(other).count())
                        .isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    void stream_ofTwoConditions_goesOnAsAnyOther() {
        List<Item> items = Item.items(700, new Random(2));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            Condition<Item> one = Item.STARS.equal(1);
            Condition<Item> other = Item.PRICE.greaterThan(BigDecimal.ZERO);
            Condition<Item> third = Item.SIZE.lessThan(9);
            assertThat(table.stream().filter(one).filter(other).filter(third).toList())
                    .isEqualTo(items.stream().filter(one).filter(other).filter(third).toList());
            assertThat(table.stream().filter(one).filter(item -> item.id() % 2 == 0).count())
                    .isEqualTo(
                            items.stream().filter(one).filter(item -> item.id() % 2 == 0).count());
            var used = table.stream().filter(one).filter(other);
            assertThat(used.count()).isPositive();
            assertThatThrownBy(used::count).isInstanceOf(IllegalStateException.class);
            var filtered = table.stream().filter(one);
            assertThat(filtered.filter(other).count()).isPositive();
            assertThatThrownBy(() -> filtered.filter(other))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
