package dev.penstock.snapshot.shortcut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the different values of a field, and of rows by a few numbers, given without a plan. */
class FewValuesTest {
    /** As many rows as there may be different values that are kept, and on both sides; and of more than a block. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 255, 256, 257, 700})
    void distinct_sorted_isThatOfAList(int rows) {
        List<Item> items = Item.items(rows, new Random(rows));
        items.removeIf(item -> item.id() == 2);
        List<Field<Item, ?>> fields =
                List.of(Item.STARS, Item.WEIGHT, Item.PRICE, Item.RATE, Item.ID);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            for (int again = 0; again < 2; again++) {
                for (Field<Item, ?> field : fields) {
                    assertThat(table.stream().map(field).distinct().sorted().toList())
                            .isEqualTo(
                                    items.stream().<Object>map(field).distinct().sorted().toList());
                    assertThat(table.stream().<Object>map(field).distinct().toList())
                            .hasSameElementsAs(
                                    items.stream().<Object>map(field).distinct().toList());
                    assertThat(table.stream().<Object>map(field).toList())
                            .isEqualTo(items.stream().<Object>map(field).toList());
                }
                assertThat(table.stream().map(Item.DAY).distinct().toList())
                        .hasSameElementsAs(items.stream().map(Item.DAY).distinct().toList());
            }
            // They are kept.
            for (Field<Item, ?> field : List.of(Item.STARS, Item.WEIGHT, Item.PRICE, Item.RATE)) {
                assertThat(table.stream().<Object>map(field).distinct().sorted().toList())
                        .isSameAs(table.stream().<Object>map(field).distinct().sorted().toList());
            }
            List<Integer> stars = table.stream().map(Item.STARS).distinct().sorted().toList();
            assertThatThrownBy(() -> stars.add(1))
                    .isInstanceOf(UnsupportedOperationException.class);
            Stream<Integer> used = table.stream().map(Item.STARS).distinct().sorted();
            assertThat(used.toList()).isEqualTo(stars);
            assertThatThrownBy(used::toList).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Whole numbers at the ends of what there is, and further apart than a long has. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void distinct_atTheEnds_isThatOfAList(boolean isDescending) {
        List<List<Long>> all =
                List.of(
                        List.of(Long.MAX_VALUE),
                        List.of(Long.MIN_VALUE),
                        List.of(Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MAX_VALUE),
                        List.of(Long.MIN_VALUE, Long.MAX_VALUE),
                        List.of(-5_000_000_000_000_000_000L, 5_000_000_000_000_000_000L));
        for (List<Long> weights : all) {
            List<Long> given = isDescending ? weights.reversed() : weights;
            List<Item> items = new ArrayList<>();
            given.forEach(weight -> items.add(Item.weighed(items.size() + 1, weight, "a")));
            try (TestDatabase server = TestDatabase.create(Kind.H2)) {
                TypedTable<Item> table = Item.load(server, items);
                for (int again = 0; again < 2; again++) {
                    assertThat(table.stream().map(Item.WEIGHT).distinct().sorted().toList())
                            .isEqualTo(weights.stream().distinct().sorted().toList());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 700)
    void values_ofOneReader_areSharedByRowsThatHaveTheSame(int rows) {
        List<Item> items = Item.items(rows, new Random(4));
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            for (Field<Item, ?> field : List.of(Item.PRICE, Item.DAY)) {
                List<?> values = table.stream().map(field).toList();
                assertThat(values).isEqualTo(items.stream().map(field).toList());
                Set<Object> different = Collections.newSetFromMap(new IdentityHashMap<>());
                different.addAll(values);
                assertThat(different).hasSizeLessThan(rows / 4);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 700})
    void rows_ofAFewNumbers_areThoseOfAList(int rows) {
        Random random = new Random(rows);
        List<Item> items = Item.items(rows, random);
        items.removeIf(item -> item.id() % 5 == 0);
        List<IntField<Item>> fields = List.of(Item.ID, Item.RANK, Item.ID, Item.STARS);
        List<FieldOrder<Item>> orders =
                List.of(
                        Item.ID.comparator(),
                        Item.ID.reversed(),
                        Item.RANK.comparator(),
                        Item.RANK.reversed(),
                        Item.STARS.comparator());
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            TypedTable<Item> table = Item.load(server, items);
            // After that there is an index of it.
            assertThat(table.stream().sorted(Item.RANK).limit(3).toList())
                    .hasSize(Math.min(3, items.size()));
            List<Integer> ranks = new ArrayList<>(List.of(-1));
            items.forEach(item -> ranks.add(item.rank()));
            for (int i = 0; i < 300; i++) {
                // Also as many as are looked for one by one, and one more.
                int count = i == 0 ? 64 : i == 1 ? 65 : random.nextInt(5);
                List<Integer> numbers = new ArrayList<>();
                for (int n = 0; n < count; n++) {
                    numbers.add(
                            switch (random.nextInt(9)) {
                                case 0 -> random.nextInt();
                                case 1, 2, 3 -> ranks.get(random.nextInt(ranks.size()));
                                default -> random.nextInt(rows + 3) - 1;
                            });
                }
                IntField<Item> field = fields.get(i % fields.size());
                var among = field.in(numbers);
                numbers.clear();
                assertThat(table.stream().filter(among).toList())
                        .isEqualTo(items.stream().filter(among).toList());
                assertThat(table.stream().filter(among).map(Item.NAME).toList())
                        .isEqualTo(items.stream().filter(among).map(Item.NAME).toList());
                assertThat(table.stream().filter(among).count())
                        .isEqualTo(items.stream().filter(among).count());
                FieldOrder<Item> order = orders.get(i % orders.size());
                assertThat(table.stream().filter(among).sorted(order).toList())
                        .isEqualTo(items.stream().filter(among).sorted(order).toList());
                assertThat(table.stream().filter(among).sorted(order).map(Item.SIZE).toList())
                        .isEqualTo(
                                items.stream().filter(among).sorted(order).map(Item.SIZE).toList());
                assertThat(table.stream().filter(among).filter(Item.STARS.lessThan(3)).toList())
                        .isEqualTo(
                                items.stream()
                                        .filter(among)
                                        .filter(Item.STARS.lessThan(3))
                                        .toList());
            }
            var used = table.stream().filter(Item.ID.in(1, 2));
            List<Item> known = used.toList();
            assertThatThrownBy(used::toList).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(known::clear).isInstanceOf(UnsupportedOperationException.class);
        }
    }
}
