package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that plans of few rows, and of indexes of few different rows, give what the database gives: with as many rows
 * as are on both sides of words, blocks and first arrays.
 */
class ShortPlansTest {
    private static final List<Order> BY_ID = List.of(new Order("ID", false, false));

    private static TestDatabase server;
    private static Database database;
    private static Engine memory;

    @BeforeAll
    static void load() {
        server = TestDatabase.create(Kind.H2);
        for (int rows : new int[] {0, 1, 2, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 20_000}) {
            server.execute(
                    "create table t%d (id int primary key, kind varchar(5), minutes int, cost numeric(5, 2))"
                            .formatted(rows),
                    ("insert into t%d select 10 + 2 * x, decode(mod(x * 7, 5), 0, 'G', 1, 'PG', 2, 'R', 3, 'NC'),"
                                    + " case when mod(x, 11) = 0 then null else 40 + mod(x * 31, 59) end,"
                                    + " mod(x * 13, 700) / 100.0 from system_range(1, %d)")
                            .formatted(rows, rows));
        }
        database = Database.connect(server.dataSource());
        memory = InMemory.of(database, new Memory(Long.MAX_VALUE));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Plan all(int rows) {
        return Plan.of(database.table("t" + rows));
    }

    private static Predicate compare(String column, Comparator by, Object value) {
        return new Predicate.Comparison(column, by, value);
    }

    private static Predicate in(IntStream values) {
        return new Predicate.In("ID", List.copyOf(values.boxed().toList()));
    }

    /** Conditions on a key of the even numbers from 12 on, with one range and with several. */
    private static List<Predicate> onKey(int rows) {
        int first = 12;
        int last = 10 + 2 * rows;
        int middle = 10 + 2 * (rows / 2);
        List<Predicate> all = new ArrayList<>();
        for (int id :
                new int[] {first - 1, first, middle - 1, middle, middle + 1, last, last + 1}) {
            for (Comparator by : Comparator.values()) {
                all.add(compare("ID", by, id));
            }
        }
        all.add(in(IntStream.of(first, middle, last)));
        all.add(in(IntStream.of(first - 2, middle + 1, last + 2)));
        all.add(in(IntStream.rangeClosed(0, rows).map(i -> 10 + 4 * i)));
        all.add(new Predicate.Not(in(IntStream.of(first, middle, last))));
        all.add(
                new Predicate.Or(
                        List.of(
                                compare("ID", Comparator.LESS, first + 4),
                                compare("ID", Comparator.GREATER, last - 4))));
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097})
    void rows_byTheKeyTheyAreSortedBy_areTheDatabases(int rows) {
        Predicate kind = compare("KIND", Comparator.EQUAL, "PG");
        for (Predicate condition : onKey(rows)) {
            Plan some = all(rows).where(condition);
            requireSame(some.orderBy(BY_ID));
            requireSame(some.count());
            requireSame(some.where(kind).orderBy(BY_ID));
            requireSame(some.where(kind).count());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 4096})
    void firstRows_ofSortedOnes_areTheDatabases(int most) {
        List<Order> order =
                List.of(new Order("MINUTES", true, true), new Order("COST", false, false));
        for (int rows : new int[] {1, 64, 513, 4095, 4096, 4097, 20_000}) {
            requireSame(all(rows).orderBy(order).limit(most));
            requireSame(
                    all(rows)
                            .where(compare("COST", Comparator.GREATER, 1))
                            .orderBy(order)
                            .skip(3)
                            .limit(most));
        }
    }

    /** The index's columns are in the table's order: kind, and then minutes. */
    @Test
    void counts_byAnIndexOfTwoColumns_areTheDatabases() {
        List<Predicate> kinds = new ArrayList<>();
        kinds.add(Predicate.ALL);
        kinds.add(new Predicate.IsNull("KIND"));
        kinds.add(new Predicate.Not(new Predicate.IsNull("KIND")));
        kinds.add(compare("KIND", Comparator.EQUAL, "other"));
        kinds.add(new Predicate.In("KIND", List.of("G", "R")));
        for (String kind : List.of("G", "NC", "PG", "R")) {
            kinds.add(compare("KIND", Comparator.EQUAL, kind));
            kinds.add(compare("KIND", Comparator.GREATER, kind));
        }
        List<Predicate> minutes =
                List.of(
                        Predicate.ALL,
                        new Predicate.IsNull("MINUTES"),
                        compare("MINUTES", Comparator.EQUAL, 40),
                        compare("MINUTES", Comparator.GREATER, 80),
                        compare("MINUTES", Comparator.NOT_EQUAL, 99),
                        new Predicate.In("MINUTES", List.of(39, 41, 60, 62, 64, 66, 68, 100)));
        List<Item> kind = List.of(new Item("KIND", "k"));
        for (Predicate one : kinds) {
            for (Predicate other : minutes) {
                Plan some = all(20_000).where(one).where(other);
                requireSame(some.count());
                Plan groups =
                        some.aggregate(
                                kind,
                                List.of(
                                        Aggregate.count("rows"),
                                        Aggregate.of(Aggregate.Function.SUM, "MINUTES", "sum")));
                requireSame(groups.orderBy(List.of(new Order("k", false, false))));
            }
        }
        Plan both = all(20_000).where(kinds.get(7)).where(minutes.get(3)).count();
        // Each of five kinds has 59 numbers of minutes, and none.
        assertThat(memory.explain(both).text())
                .contains("the index of columns KIND, MINUTES is read: 60 of 300 different rows");
    }

    @Test
    void differentRows_inOrder_areTheDatabases() {
        List<Item> items = List.of(new Item("KIND", "k"), new Item("MINUTES", "m"));
        Order byKind = new Order("k", true, true);
        Order byMinutes = new Order("m", false, false);
        for (int rows : new int[] {0, 1, 64, 4096, 20_000}) {
            Plan different = all(rows).distinct(items);
            requireSame(different.orderBy(List.of(byKind, byMinutes)));
            requireSame(different.orderBy(List.of(byMinutes, byKind)));
            // By one of both, the other tells ties apart.
            requireSame(different.orderBy(List.of(byKind)));
            requireSame(different.orderBy(List.of(byKind, byMinutes)).skip(2).limit(5));
            requireSame(different.limit(7).orderBy(List.of(byMinutes, byKind)));
            requireSame(
                    different
                            .orderBy(List.of(byMinutes, byKind))
                            .limit(20)
                            .distinct(List.of(new Item("k", "kinds")))
                            .orderBy(List.of(new Order("kinds", false, false))));
        }
    }

    private static void requireSame(Plan plan) {
        assertThat(Rows.texts(memory, plan))
                .as(plan.toString())
                .isEqualTo(Rows.texts(database, plan));
    }
}
