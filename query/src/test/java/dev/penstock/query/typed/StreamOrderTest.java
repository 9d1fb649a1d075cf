package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ACTIVE;
import static dev.penstock.query.typed.Thing.COLOR;
import static dev.penstock.query.typed.Thing.GRADE;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.SIZE;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.Plan;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.rows.SharedCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that rows cut or sorted behind code are those that a list gives, in parallel as well, from an engine that gives
 * rows in no order unless it is asked for one; and of what a limit behind code makes the engine do. There are more rows
 * than one thread's batches hold, and fewer.
 */
class StreamOrderTest {
    private static final int ROWS = SharedCursor.SPLITS * SharedCursor.BATCH_ROWS + 1000;
    private static final List<Thing> LIST = Things.some(ROWS);

    private final ListEngine engine = new ListEngine(LIST);
    private final TypedTable<Thing> things = TypedTable.of(engine, Thing.TABLE);

    @AfterEach
    void noCursor_isLeftOpen() {
        assertThat(engine.open).hasValue(0);
    }

    private static boolean odd(Thing thing) {
        return thing.id() % 2 == 1;
    }

    private static List<Integer> ids(Stream<Thing> things) {
        return things.map(t -> t.id()).toList();
    }

    static final Map<String, Function<Stream<Thing>, Object>> PROGRAMS =
            Map.ofEntries(
                    entry(
                            "filter, skip, limit",
                            s -> ids(s.filter(StreamOrderTest::odd).skip(5).limit(3))),
                    entry("skip to the end", s -> ids(s.peek(t -> {}).skip(ROWS - 3))),
                    entry(
                            "many, then code",
                            s ->
                                    s.filter(StreamOrderTest::odd)
                                            .limit(9000)
                                            .filter(t -> t.id() % 3 == 0)
                                            .mapToInt(t -> t.id())
                                            .boxed()
                                            .toList()),
                    entry(
                            "map, skip, limit",
                            s -> s.map(t -> t.id()).skip(700).limit(300).toList()),
                    entry("findFirst", s -> s.filter(StreamOrderTest::odd).findFirst()),
                    entry("map, findFirst", s -> s.map(t -> t.id()).findFirst()),
                    entry("map, skip, findFirst", s -> s.map(t -> t.id()).skip(9).findFirst()),
                    entry(
                            "takeWhile",
                            s -> ids(s.filter(StreamOrderTest::odd).takeWhile(t -> t.id() < 999))),
                    entry(
                            "dropWhile",
                            s -> ids(s.filter(StreamOrderTest::odd).dropWhile(t -> t.id() < 999))),
                    entry(
                            "sorted by a field with ties",
                            s -> ids(s.filter(StreamOrderTest::odd).sorted(LENGTH))),
                    entry(
                            "sorted by code with ties",
                            s -> ids(s.sorted(Comparator.comparingInt(t -> t.id() % 10)))),
                    entry(
                            "sorted in the plan, again in the JVM",
                            s -> ids(s.sorted(COLOR).filter(StreamOrderTest::odd).sorted(LENGTH))),
                    entry(
                            "sorted, cut",
                            s -> ids(s.peek(t -> {}).sorted(LENGTH).skip(10).limit(40))),
                    entry(
                            "min with ties",
                            s -> s.filter(StreamOrderTest::odd).min(LENGTH).map(Thing::id)),
                    entry(
                            "max with ties",
                            s -> s.max(Comparator.comparingInt(t -> t.id() % 10)).map(Thing::id)),
                    entry(
                            "distinct in the plan, cut in the JVM",
                            s ->
                                    s.sorted(ID)
                                            .map(GRADE)
                                            .distinct()
                                            .map(c -> c + "!")
                                            .limit(2)
                                            .toList()),
                    entry(
                            "distinct in the JVM",
                            s -> s.map(t -> t.id() % 7).distinct().limit(5).toList()),
                    entry(
                            "unordered",
                            s -> ids(s.filter(StreamOrderTest::odd).unordered().limit(7))),
                    entry(
                            "flatMap",
                            s ->
                                    s.flatMap(t -> Stream.of(t.id(), -t.id()))
                                            .skip(3)
                                            .limit(4)
                                            .toList()),
                    entry(
                            "windows",
                            s ->
                                    s.map(t -> t.id())
                                            .limit(10)
                                            .gather(Gatherers.windowFixed(3))
                                            .toList()),
                    entry(
                            "longs",
                            s ->
                                    s.mapToLong(Thing::size)
                                            .filter(n -> n % 2 == 1)
                                            .skip(10)
                                            .limit(5)
                                            .boxed()
                                            .toList()),
                    entry(
                            "doubles",
                            s ->
                                    s.mapToDouble(Thing::ratio)
                                            .filter(n -> n > 1)
                                            .skip(10)
                                            .limit(5)
                                            .map(n -> n * 2)
                                            .boxed()
                                            .toList()),
                    entry(
                            "ints, many",
                            s ->
                                    s.mapToInt(ID)
                                            .filter(n -> n % 3 > 0)
                                            .skip(1)
                                            .map(n -> n / 2)
                                            .boxed()
                                            .toList()),
                    entry(
                            "parallel late",
                            s -> ids(s.filter(StreamOrderTest::odd).parallel().limit(3))),
                    entry(
                            "sequential late",
                            s -> ids(s.filter(StreamOrderTest::odd).limit(3).sequential())),
                    entry(
                            "iterator",
                            s -> {
                                List<Integer> all = new ArrayList<>();
                                s.filter(StreamOrderTest::odd)
                                        .map(t -> t.id())
                                        .skip(1)
                                        .limit(3)
                                        .iterator()
                                        .forEachRemaining(all::add);
                                return all;
                            }));

    static List<String> programs() {
        return PROGRAMS.keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void program_behindCode_givesWhatAListGives(String name) {
        Function<Stream<Thing>, Object> program = PROGRAMS.get(name);
        Object expected = program.apply(LIST.stream());
        assertThat(program.apply(things.stream())).isEqualTo(expected);
        for (int i = 0; i < 5; i++) {
            assertThat(program.apply(things.stream().parallel()))
                    .as("in parallel")
                    .isEqualTo(expected);
        }
        engine.refuses =
                plan ->
                        plan.slices().isEmpty()
                                ? Optional.empty()
                                : Optional.of("slices are refused");
        assertThat(program.apply(things.stream())).as("cut in the JVM").isEqualTo(expected);
        assertThat(program.apply(things.stream().parallel()))
                .as("cut in the JVM, in parallel")
                .isEqualTo(expected);
    }

    private List<Plan> asked(Function<Stream<Thing>, ?> program) {
        List<Plan> asked = new ArrayList<>();
        engine.refuses =
                plan -> {
                    asked.add(plan);
                    return Optional.empty();
                };
        Object ignored = program.apply(things.stream());
        return List.of(asked.getLast());
    }

    @Test
    void limit_behindOperationsThatKeepTheNumber_isTheEngines() {
        AtomicInteger mapped = new AtomicInteger();
        assertThat(
                        things.stream()
                                .map(t -> mapped.addAndGet(1) + t.id())
                                .peek(_ -> mapped.addAndGet(1))
                                .mapToInt(n -> n)
                                .boxed()
                                .limit(5)
                                .toList())
                .hasSize(5);
        assertThat(engine.rowsRead).hasValue(5);
        assertThat(mapped).hasValue(10);
        assertThat(things.stream().map(t -> t.id()).skip(20).limit(10).toList())
                .containsExactly(21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
        assertThat(engine.rowsRead).hasValue(35);
        assertThat(asked(s -> s.map(t -> t.id()).skip(20).limit(10).toList()))
                .first()
                .satisfies(plan ->
                        assertThat(plan.slices()).containsExactly(new Plan.Slice.Limit(30)));
        assertThat(asked(s -> s.peek(t -> {}).skip(Long.MAX_VALUE).limit(Long.MAX_VALUE).toList()))
                .first()
                .satisfies(plan ->
                        assertThat(plan.slices())
                                .containsExactly(new Plan.Slice.Limit(Long.MAX_VALUE)));
    }

    /** What is skipped goes through the code before it, which may fail or count. */
    @Test
    void skip_behindCode_runsTheCodeForWhatItSkips() {
        AtomicInteger seen = new AtomicInteger();
        assertThat(
                        things.stream()
                                .sorted(ID)
                                .peek(_ -> seen.incrementAndGet())
                                .skip(3)
                                .limit(2)
                                .toList())
                .hasSize(2);
        assertThat(seen).hasValue(5);
        assertThatThrownBy(() ->
                        things.stream()
                                .sorted(ID)
                                .map(t -> 1 / (t.id() - 2))
                                .skip(3)
                                .limit(2)
                                .toList())
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void findFirst_behindAMap_readsOneRow() {
        assertThat(things.stream().map(t -> t.id()).findFirst()).hasValue(1);
        assertThat(things.stream().mapToInt(t -> t.id()).findAny()).hasValue(1);
        assertThat(engine.rowsRead).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void order_whereNothingDependsOnIt_isNotAskedFor() {
        List<Function<Stream<Thing>, Object>> programs =
                List.of(
                        s -> s.filter(StreamOrderTest::odd).toList(),
                        s -> s.map(t -> t.id()).count(),
                        s -> s.filter(StreamOrderTest::odd).findAny(),
                        s -> s.map(t -> t.id()).distinct().toList(),
                        s -> s.mapToInt(t -> t.id()).sorted().sum(),
                        s -> s.peek(t -> {}).anyMatch(t -> t.id() == 7));
        for (Function<Stream<Thing>, Object> program : programs) {
            assertThat(asked(program))
                    .first()
                    .satisfies(plan -> assertThat(plan.order()).isEmpty());
        }
    }

    @Test
    void explain_ofALimitBehindAMap_showsItInThePlan() {
        String text = things.explain(things.stream().map(t -> t.id()).limit(5).filter(n -> n > 1));
        assertThat(text)
                .contains("Limit[rows=5]")
                .contains(
                        "in the JVM, because it is code or no operation on fields: map, filter\n");
    }

    @Test
    void explain_ofACollectorOfTheJdk_namesTheOneThatRunsAsSql() {
        assertThat(
                        things.explain(s ->
                                s.collect(Collectors.groupingBy(GRADE, Collectors.counting()))))
                .contains(
                        "hint: Collectors' groupingBy runs in the JVM, on every row; of fields,"
                                + " Aggregates.groupingBy(field, count()) would run as SQL\n");
        assertThat(things.explain(s -> s.collect(Collectors.counting())))
                .contains("Aggregates.count() or Aggregates.sum(field) would run as SQL");
        assertThat(things.explain(s -> s.collect(Collectors.averagingLong(SIZE))))
                .contains("Aggregates.average(field) would run as SQL");
        assertThat(things.explain(s -> s.collect(Collectors.summarizingInt(ID))))
                .contains("mapToInt(field).summaryStatistics(), or its like, would run as SQL");
        assertThat(things.explain(s -> s.collect(Collectors.toList()))).doesNotContain("hint");
        assertThat(things.explain(s -> s.collect(Aggregates.count()))).doesNotContain("hint");
        assertThat(things.explain(s -> s.map(t -> t.id()).collect(Collectors.counting())))
                .as("behind code")
                .doesNotContain("hint");
    }

    /** Where a null is possible a sum asks for one more aggregate, and else for none. */
    @Test
    void sum_ofAFieldThatMayBeNull_asksForOneAggregateMore() {
        assertThat(aggregates(s -> s.mapToInt(ID).sum())).isEqualTo(1);
        assertThat(aggregates(s -> s.filter(LENGTH.isNotNull()).mapToInt(LENGTH).sum()))
                .isEqualTo(1);
        assertThat(aggregates(s -> s.filter(ID.lessThan(0)).mapToInt(LENGTH).sum())).isEqualTo(2);
        assertThat(aggregates(s -> s.filter(ID.lessThan(0)).mapToInt(LENGTH).average()))
                .isEqualTo(3);
        assertThatThrownBy(() -> things.stream().mapToInt(LENGTH).sum())
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> things.stream().mapToInt(LENGTH).summaryStatistics())
                .isInstanceOf(NullPointerException.class);
    }

    private int aggregates(Function<Stream<Thing>, ?> program) {
        return ((Plan.Output.Aggregation) asked(program).getFirst().output()).values().size();
    }

    private static final List<Function<Stream<Thing>, BaseStream<?, ?>>> SHORT =
            List.of(
                    s -> s.filter(StreamOrderTest::odd).limit(3),
                    s -> s.filter(StreamOrderTest::odd).takeWhile(t -> t.id() < 30),
                    s -> s.filter(StreamOrderTest::odd).mapToInt(Thing::id).limit(3),
                    s -> s.filter(StreamOrderTest::odd).mapToLong(Thing::size).limit(3),
                    s -> s.filter(StreamOrderTest::odd).mapToDouble(Thing::ratio).limit(3),
                    s -> s.filter(StreamOrderTest::odd).limit(0),
                    s -> s.filter(ACTIVE.isTrue()).sorted(SIZE).limit(3).map(ID));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void iterator_atItsEnd_givesTheCursorBack(boolean parallel) {
        for (Function<Stream<Thing>, BaseStream<?, ?>> stream : SHORT) {
            Stream<Thing> all = things.stream();
            Iterator<?> elements = stream.apply(parallel ? all.parallel() : all).iterator();
            while (elements.hasNext()) {
                assertThat(elements.next()).isNotNull();
            }
            assertThat(engine.open).hasValue(0);
            assertThat(elements.hasNext()).isFalse();
            assertThatThrownBy(elements::next).isInstanceOf(java.util.NoSuchElementException.class);
            stream.apply(things.stream()).iterator().forEachRemaining(e -> {});
            assertThat(engine.open).hasValue(0);
        }
    }

    @Test
    void spliterator_atItsEnd_givesTheCursorBack() {
        for (Function<Stream<Thing>, BaseStream<?, ?>> stream : SHORT) {
            Spliterator<?> elements = stream.apply(things.stream()).spliterator();
            while (elements.tryAdvance(e -> {})) {}
            assertThat(engine.open).hasValue(0);
            stream.apply(things.stream()).spliterator().forEachRemaining(e -> {});
            assertThat(engine.open).hasValue(0);
        }
    }

    @Test
    void spliterator_thatIsSplit_givesTheCursorBackAfterItsLastPart() {
        Spliterator<Integer> rest =
                things.stream()
                        .parallel()
                        .filter(StreamOrderTest::odd)
                        .map(Thing::id)
                        .spliterator();
        Spliterator<Integer> first = rest.trySplit();
        AtomicInteger count = new AtomicInteger();
        first.forEachRemaining(_ -> count.incrementAndGet());
        rest.forEachRemaining(_ -> count.incrementAndGet());
        assertThat(count).hasValue(ROWS / 2);
        assertThat(engine.open).hasValue(0);
        assertThat(
                        StreamSupport.intStream(
                                        things.stream().parallel().mapToInt(t -> 1).spliterator(),
                                        true)
                                .sum())
                .isEqualTo(ROWS);
    }

    @Test
    void iterator_ofAStreamWhoseCodeFails_givesTheCursorBack() {
        Iterator<Integer> failing =
                things.stream().sorted(ID).map(t -> 1 / (t.id() - 2)).iterator();
        assertThat(failing.next()).isEqualTo(-1);
        assertThat(engine.open).hasValue(1);
        assertThatThrownBy(failing::hasNext).isInstanceOf(ArithmeticException.class);
        assertThat(engine.open).hasValue(0);
        assertThatThrownBy(failing::hasNext).isInstanceOf(IllegalStateException.class);
        IntStream ints = things.stream().sorted(ID).mapToInt(t -> 1 / (t.id() - 2));
        Spliterator.OfInt split = ints.spliterator();
        assertThat(split.tryAdvance((int _) -> {})).isTrue();
        assertThatThrownBy(() -> split.tryAdvance((int _) -> {}))
                .isInstanceOf(ArithmeticException.class);
        assertThat(engine.open).hasValue(0);
    }
}
