package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.field.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values of streams that are read before the rows: by every operation that is given a condition, over the only
 * connection of a pool, and the streams are closed with the one that the condition was given to.
 */
class SemiJoinReadingTest {
    private static TestDatabase server;
    private static HikariDataSource pool;
    private static Database database;

    @BeforeAll
    static void open() throws Exception {
        server = TestDatabase.create(Kind.H2);
        Part.connected(server);
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1000);
        pool = new HikariDataSource(config);
        database = Database.connect(pool);
    }

    @AfterAll
    static void close() {
        pool.close();
        server.close();
    }

    /** An operation that is given a condition, and perhaps a terminal one after it. */
    record Given(String name, Function<Stream<Thing>, Function<Condition<Thing>, Object>> program) {
        Object run(Stream<Thing> things, Condition<Thing> condition) {
            return program.apply(things).apply(condition);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Object ids(Stream<Thing> things) {
        return things.map(Thing::id).toList();
    }

    static List<Given> operations() {
        return List.of(
                new Given("filter", s -> c -> ids(s.sorted(Thing.ID).filter(c))),
                new Given("filter, code", s -> c -> ids(code(s).filter(c))),
                new Given("filter and code", s -> c -> ids(code(s).filter(c.and(t -> true)))),
                new Given("filter or code", s -> c -> ids(code(s).filter(c.or(t -> t.id() < 5)))),
                new Given(
                        "filter or code, no code before",
                        s -> c -> ids(s.sorted(Thing.ID).filter(c.or(t -> t.id() < 5)))),
                new Given(
                        "filter and code and code",
                        s ->
                                c ->
                                        ids(
                                                code(s).filter(
                                                                c.and(t -> t.id() > 2)
                                                                        .and(t -> t.id() < 50)))),
                new Given(
                        "filter and code or code",
                        s -> c -> ids(code(s).filter(c.and(t -> t.id() > 9).or(t -> t.id() < 3)))),
                new Given(
                        "filter code and a condition",
                        s ->
                                c ->
                                        ids(
                                                code(s).filter(
                                                                Thing.ID
                                                                        .greaterThan(2)
                                                                        .and(t -> true)
                                                                        .and(c)))),
                new Given(
                        "filter not: and code",
                        s -> c -> ids(code(s).filter(Predicate.not(c.and(t -> true))))),
                new Given("noneMatch or code", s -> c -> s.noneMatch(c.or(t -> t.id() > 900))),
                new Given("takeWhile", s -> c -> ids(s.sorted(Thing.ID).takeWhile(c))),
                new Given("dropWhile", s -> c -> ids(code(s).dropWhile(c))),
                new Given("anyMatch", s -> c -> s.anyMatch(c)),
                new Given("anyMatch, code", s -> c -> code(s).anyMatch(c)),
                new Given("allMatch, code", s -> c -> code(s).allMatch(c)),
                new Given("allMatch", s -> c -> s.allMatch(c)),
                new Given("noneMatch, code", s -> c -> code(s).noneMatch(c)),
                new Given("noneMatch and code", s -> c -> s.noneMatch(c.and(t -> true))),
                new Given(
                        "collect", s -> c -> s.collect(Aggregates.filtered(c, Aggregates.count()))),
                new Given(
                        "collect, code",
                        s -> c -> code(s).collect(Aggregates.filtered(c, Aggregates.count()))),
                new Given(
                        "collect groups that are filtered",
                        s ->
                                c ->
                                        s.collect(
                                                Aggregates.filtered(
                                                        c,
                                                        Aggregates.groupingBy(
                                                                Thing.ACTIVE,
                                                                Aggregates.count())))),
                new Given(
                        "collect two of groups",
                        s ->
                                c ->
                                        code(s).collect(
                                                        Aggregates.groupingBy(
                                                                Thing.ACTIVE,
                                                                Aggregates.all(
                                                                        Aggregates.count(),
                                                                        Aggregates.filtered(
                                                                                c,
                                                                                Aggregates
                                                                                        .count()))))));
    }

    private static Stream<Thing> code(Stream<Thing> things) {
        return things.sorted(Thing.ID).peek(_ -> {});
    }

    /** No database does this one, so that the JVM tests it. */
    private static Condition<Thing> condition(Stream<Part> parts) {
        return Thing.ID
                .in(parts.filter(Part.SIZE.lessThan(5L)).map(Part.THING).peek(_ -> {}))
                .or(Thing.NAME.matches(".*3"));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void operation_givenACondition_readsItsValuesFirstAndClosesItsStream(Given operation) {
        List<Thing> list = database.table(Thing.TABLE).stream().sorted(Thing.ID).toList();
        List<Part> parts = database.table(Part.TABLE).stream().toList();
        List<Integer> values =
                parts.stream()
                        .filter(p -> p.size() < 5 && p.thing() != null)
                        .map(Part::thing)
                        .toList();
        Object expected =
                operation.run(list.stream(), Thing.ID.in(values).or(Thing.NAME.matches(".*3")));
        List<String> closed = new ArrayList<>();
        Stream<Part> inner = database.table(Part.TABLE).stream().onClose(() -> closed.add("inner"));
        Condition<Thing> condition = condition(inner);
        try (Stream<Thing> things = database.table(Thing.TABLE).stream()) {
            assertThat(operation.run(things, condition)).isEqualTo(expected);
            assertThat(closed).isEmpty();
        }
        assertThat(closed).containsExactly("inner");
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void collect_ofAStreamThatWasUsed_readsNothing() {
        AtomicInteger read = new AtomicInteger();
        Condition<Thing> condition =
                Thing.ID.in(
                        database.table(Part.TABLE).stream()
                                .map(Part.THING)
                                .peek(_ -> read.incrementAndGet()));
        Stream<Thing> things = database.table(Thing.TABLE).stream();
        assertThat(things.count()).isPositive();
        assertThatThrownBy(() -> things.collect(Aggregates.filtered(condition, Aggregates.count())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stream has already been operated upon or closed");
        assertThat(read).hasValue(0);
    }

    /** Whoever closes first runs the handlers, which are run once. */
    @Test
    void close_ofStreamsOfSeveralThreads_closesTheInnerOneOnce() throws Exception {
        for (int round = 0; round < 200; round++) {
            AtomicInteger closed = new AtomicInteger();
            Condition<Thing> condition =
                    condition(database.table(Part.TABLE).stream().onClose(closed::incrementAndGet));
            CyclicBarrier start = new CyclicBarrier(2);
            Callable<Integer> closing =
                    () -> {
                        Stream<Thing> things =
                                database.table(Thing.TABLE).stream().filter(condition);
                        int arrived = start.await();
                        things.close();
                        return arrived;
                    };
            FutureTask<Integer> one = new FutureTask<>(closing);
            Thread other = Thread.ofPlatform().start(one);
            assertThat(closing.call() + one.get()).isEqualTo(1);
            other.join();
            assertThat(closed).hasValue(1);
        }
    }

    @Test
    void find_byTheValuesOfAStream_closesIt() {
        List<String> closed = new ArrayList<>();
        Stream<Part> parts = database.table(Part.TABLE).stream().onClose(() -> closed.add("inner"));
        assertThat(database.table(Thing.TABLE).find(condition(parts))).isPresent();
        assertThat(closed).containsExactly("inner");
    }
}
