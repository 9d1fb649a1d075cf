package dev.penstock.snapshot.shortcut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.RangeBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that are answered without a plan mean what they mean on a list. */
class TableShortcutsTest {
    private static List<Condition<Item>> conditions() {
        List<Condition<Item>> all = new ArrayList<>();
        for (int v :
                new int[] {Integer.MIN_VALUE, -31, -30, -29, 0, 1, 48, 49, Integer.MAX_VALUE}) {
            all.addAll(
                    List.of(
                            Item.SIZE.equal(v),
                            Item.SIZE.notEqual(v),
                            Item.SIZE.lessThan(v),
                            Item.SIZE.lessOrEqual(v),
                            Item.SIZE.greaterThan(v),
                            Item.SIZE.greaterOrEqual(v)));
        }
        for (long v :
                new long[] {
                    Long.MIN_VALUE, 0, Long.MAX_VALUE - 9, Long.MAX_VALUE - 4, Long.MAX_VALUE
                }) {
            all.addAll(
                    List.of(
                            Item.WEIGHT.equal(v),
                            Item.WEIGHT.notEqual(v),
                            Item.WEIGHT.lessThan(v),
                            Item.WEIGHT.lessOrEqual(v),
                            Item.WEIGHT.greaterThan(v),
                            Item.WEIGHT.greaterOrEqual(v)));
        }
        for (RangeBounds ends : RangeBounds.values()) {
            for (int v : new int[] {Integer.MIN_VALUE, -31, -30, 0, 48, Integer.MAX_VALUE}) {
                all.add(Item.SIZE.between(v, 1, ends));
                all.add(Item.SIZE.between(-1, v, ends));
            }
            for (long v : new long[] {Long.MIN_VALUE, Long.MAX_VALUE - 5, Long.MAX_VALUE}) {
                all.add(Item.WEIGHT.between(v, Long.MAX_VALUE, ends));
                all.add(Item.WEIGHT.between(Long.MIN_VALUE, v, ends));
            }
        }
        for (Item.Color color : Item.Color.values()) {
            all.addAll(
                    List.of(
                            Item.COLOR.equal(color),
                            Item.COLOR.notEqual(color),
                            Item.COLOR.lessThan(color),
                            Item.COLOR.greaterOrEqual(color)));
        }
        for (String start :
                new String[] {"", "i", "item 1", "item 49", "item 490", "j", "\uD83D\uDE00"}) {
            all.add(Item.NAME.startsWith(start));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 700})
    void count_ofOneCondition_isThatOfAList(int rows) {
        List<Item> items = Item.items(rows, new Random(rows));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            for (int again = 0; again < 2; again++) {
                for (Condition<Item> condition : conditions()) {
                    assertThat(table.stream().filter(condition).count())
                            .isEqualTo(items.stream().filter(condition).count());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 700, 6000})
    void statistics_ofAPartInOrder_areThoseOfAList(int rows) {
        List<Item> items = Item.items(rows, new Random(rows));
        List<FieldOrder<Item>> orders =
                List.of(
                        Item.STARS.comparator(),
                        Item.STARS.reversed(),
                        Item.SIZE.comparator(),
                        Item.SIZE.reversed(),
                        Item.SIZE.nullsFirst(),
                        Item.WEIGHT.reversed(),
                        Item.COLOR.comparator(),
                        Item.ID.reversed(),
                        Item.STARS.thenComparing(Item.SIZE));
        Random random = new Random(rows);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            for (int i = 0; i < 300; i++) {
                FieldOrder<Item> order = orders.get(i % orders.size());
                int skip = random.nextInt(rows + 2);
                int limit = i % 11 == 0 ? Integer.MAX_VALUE : random.nextInt(rows + 2);
                boolean cutsFirst = i % 3 == 0;
                var stream = table.stream().sorted(order);
                var list = items.stream().sorted(order);
                stream =
                        cutsFirst ? stream.limit(limit).skip(skip) : stream.skip(skip).limit(limit);
                list = cutsFirst ? list.limit(limit).skip(skip) : list.skip(skip).limit(limit);
                assertThat(stream.mapToInt(Item.STARS.asInt()).summaryStatistics())
                        .as("%s, skip %d, limit %d", order, skip, limit)
                        .hasToString(list.mapToInt(Item.STARS).summaryStatistics().toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 700, 6000})
    void findFirst_ofANumber_isThatOfAList(int rows) {
        List<Item> items = Item.items(rows, new Random(rows));
        items.removeIf(item -> item.id() % 5 == 0 && item.id() > 10);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            List<Condition<Item>> all = new ArrayList<>(conditions());
            for (int id : new int[] {Integer.MIN_VALUE, 0, 1, 2, 15, 16, 49, 699, 5999, 6001}) {
                all.add(Item.ID.equal(id));
                all.add(Item.STARS.equal(id));
            }
            for (int again = 0; again < 3; again++) {
                for (Condition<Item> condition : all) {
                    assertThat(table.stream().filter(condition).findFirst())
                            .isEqualTo(items.stream().filter(condition).findFirst());
                    assertThat(table.find(condition))
                            .isEqualTo(items.stream().filter(condition).findFirst());
                }
                // After that there is an index of it.
                assertThat(table.stream().sorted(Item.SIZE.nullsFirst()).limit(3).toList())
                        .hasSize(Math.min(3, items.size()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 700, 6000})
    void minAndMax_ofAField_areThoseOfAList(int rows) {
        List<Item> items = Item.items(rows, new Random(rows));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            assertThat(table.stream().mapToInt(Item.STARS.asInt()).min())
                    .isEqualTo(items.stream().mapToInt(Item.STARS).min());
            assertThat(table.stream().mapToInt(Item.ID.asInt()).max())
                    .isEqualTo(items.stream().mapToInt(Item.ID).max());
            assertThat(table.stream().mapToInt(Item.STARS.asInt()).sum())
                    .isEqualTo(items.stream().mapToInt(Item.STARS).sum());
            Condition<Item> sized = Item.SIZE.isNotNull();
            assertThat(table.stream().filter(sized).mapToInt(Item.SIZE.asInt()).min())
                    .isEqualTo(items.stream().filter(sized).mapToInt(Item.SIZE).min());
            assertThat(table.stream().filter(sized).mapToInt(Item.SIZE.asInt()).max())
                    .isEqualTo(items.stream().filter(sized).mapToInt(Item.SIZE).max());
            assertThat(table.stream().filter(sized).mapToInt(Item.STARS.asInt()).max())
                    .isEqualTo(items.stream().filter(sized).mapToInt(Item.STARS).max());
            assertThat(table.stream().filter(sized).count())
                    .isEqualTo(items.stream().filter(sized).count());
            assertThat(table.stream().collect(Aggregates.min(Item.SIZE)))
                    .isEqualTo(items.stream().collect(Aggregates.min(Item.SIZE)));
            assertThat(table.stream().collect(Aggregates.max(Item.NAME)))
                    .isEqualTo(items.stream().collect(Aggregates.max(Item.NAME)));
            var used = table.stream().mapToInt(Item.STARS.asInt());
            assertThat(used.min().isPresent()).isEqualTo(rows > 0);
            assertThatThrownBy(used::max).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void count_ofTextsThatStartWithHalfAPair_isThatOfAList() {
        List<Item> items =
                List.of(
                        Item.named(1, "\uD83D\uDE00"),
                        Item.named(2, "? what"),
                        Item.named(3, "? where"));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            Condition<Item> condition = Item.NAME.startsWith("\uD83D");
            assertThat(Item.load(server, items).stream().filter(condition).count())
                    .isEqualTo(items.stream().filter(condition).count());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 3)
    void stream_ofWhichAnAnswerWasGiven_isUsedUp(int rows) {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, Item.items(rows, new Random(1)));
            var all = table.stream();
            var some = all.filter(Item.STARS.greaterOrEqual(0));
            assertThat(some.count()).isPositive();
            assertThatThrownBy(some::count).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> all.sorted(Item.ID)).isInstanceOf(IllegalStateException.class);
            var closed = table.stream().filter(Item.STARS.greaterThan(2));
            closed.close();
            assertThatThrownBy(closed::count).isInstanceOf(IllegalStateException.class);
        }
    }
}
