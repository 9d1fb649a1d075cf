package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ACTIVE;
import static dev.penstock.query.typed.Thing.COLOR;
import static dev.penstock.query.typed.Thing.DAY;
import static dev.penstock.query.typed.Thing.GRADE;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static dev.penstock.query.typed.Thing.PRICE;
import static dev.penstock.query.typed.Thing.RATIO;
import static dev.penstock.query.typed.Thing.SIZE;
import static dev.penstock.query.typed.Thing.WEIGHT;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.typed.aggregate.Aggregates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of every shape means what it means on a list: where the engine does it, where it refuses all but the
 * rows, where it refuses orders or slices or whatever ends the stream, and in parallel. Afterwards no cursor is open.
 */
class StreamConformanceTest {
    static final List<Thing> LIST = Things.some(500);

    static final Map<String, Function<Stream<Thing>, Object>> PROGRAMS =
            Map.ofEntries(
                    entry("count", Stream::count),
                    entry("filter", s -> s.filter(LENGTH.greaterThan(60)).count()),
                    entry(
                            "filters",
                            s ->
                                    ids(
                                            s.filter(LENGTH.notEqual(60).or(NAME.isNull()))
                                                    .filter(ACTIVE.isTrue().negate())
                                                    .filter(COLOR.isNotNull()))),
                    entry(
                            "filter by both",
                            s -> ids(s.filter(ACTIVE.isTrue().and(StreamConformanceTest::odd)))),
                    entry(
                            "filter by either",
                            s -> ids(s.filter(ACTIVE.isTrue().or(StreamConformanceTest::odd)))),
                    entry(
                            "filter matches",
                            s -> ids(s.filter(NAME.matches("name [1-3]")).filter(ACTIVE.isTrue()))),
                    entry(
                            "filter after limit",
                            s -> ids(s.sorted(ID).limit(99).filter(ACTIVE.isTrue()).skip(3))),
                    entry("sorted", s -> ordered(s.sorted(LENGTH.reversed().thenComparing(ID)))),
                    entry(
                            "sorted twice",
                            s -> ordered(s.sorted(ID.reversed()).sorted(COLOR).sorted(NAME))),
                    entry(
                            "sorted and cut",
                            s -> ordered(s.sorted(SIZE.reversed()).skip(5).limit(70).skip(3))),
                    entry(
                            "sorted, cut, sorted",
                            s -> ordered(s.sorted(SIZE).limit(50).sorted(WEIGHT.nullsFirst()))),
                    entry(
                            "sorted by a lambda",
                            s -> ordered(s.sorted(Comparator.comparingInt(t -> -t.id())))),
                    entry("limit none", s -> ordered(s.sorted(ID).limit(0))),
                    entry("skip all", s -> ordered(s.sorted(ID).skip(1000))),
                    entry("map", s -> s.sorted(ID).map(NAME).toList()),
                    entry("map distinct", s -> new HashSet<>(s.map(NAME).distinct().toList())),
                    entry("map distinct count", s -> s.map(PRICE).distinct().count()),
                    entry(
                            "map distinct sorted",
                            s ->
                                    s.filter(PRICE.isNotNull())
                                            .map(PRICE)
                                            .distinct()
                                            .sorted()
                                            .skip(2)
                                            .toList()),
                    entry(
                            "map sorted reverse",
                            s ->
                                    s.filter(DAY.isNotNull())
                                            .map(DAY)
                                            .sorted(Comparator.reverseOrder())
                                            .toList()),
                    entry(
                            "sorted limit map distinct",
                            s -> s.sorted(ID).limit(30).map(GRADE).distinct().toList()),
                    entry("map then lambda", s -> sorted(s.map(GRADE).map(c -> c + "!"))),
                    entry(
                            "map sorted texts",
                            s -> s.filter(NAME.isNotNull()).map(NAME).sorted().toList()),
                    entry("map sorted nulls", s -> s.map(LENGTH).sorted().toList()),
                    entry("map min", s -> s.map(SIZE).min(Comparator.naturalOrder()).orElseThrow()),
                    entry(
                            "map max",
                            s -> s.map(RATIO).max(Comparator.naturalOrder()).orElseThrow()),
                    entry(
                            "map first null",
                            s -> s.sorted(LENGTH.nullsFirst()).map(LENGTH).findFirst()),
                    entry("distinct", s -> ids(s.distinct())),
                    entry("findFirst", s -> s.sorted(SIZE.reversed()).findFirst().map(Thing::id)),
                    entry("findFirst of none", s -> s.filter(ID.lessThan(0)).findFirst()),
                    entry("findAny", s -> s.filter(ID.equal(77)).findAny().map(Thing::id)),
                    entry("anyMatch", s -> s.filter(ACTIVE.isTrue()).anyMatch(LENGTH.equal(41))),
                    entry("allMatch", s -> s.allMatch(LENGTH.greaterThan(1))),
                    entry("noneMatch", s -> s.noneMatch(LENGTH.greaterThan(1000))),
                    entry("anyMatch by a lambda", s -> s.anyMatch(t -> t.id() == 400)),
                    entry("allMatch by a lambda", s -> s.allMatch(t -> t.id() < 400)),
                    entry("noneMatch by a lambda", s -> s.noneMatch(t -> t.id() > 400)),
                    entry("min", s -> s.min(LENGTH.thenComparing(ID)).map(Thing::id)),
                    entry("max", s -> s.max(LENGTH.thenComparing(ID)).map(Thing::id)),
                    entry("min of enums", s -> s.min(COLOR.thenComparing(ID)).map(Thing::id)),
                    entry(
                            "max by a lambda",
                            s -> s.max(Comparator.comparingInt(Thing::id)).map(Thing::id)),
                    entry("toArray", s -> s.sorted(ID).map(ID).toArray()),
                    entry("toArray of", s -> s.sorted(ID).map(NAME).toArray(String[]::new)),
                    entry("reduce", s -> s.map(ID).reduce(0, Integer::sum)),
                    entry("reduce optional", s -> s.map(ID).reduce(Integer::sum)),
                    entry("reduce three", s -> s.reduce(0, (n, t) -> n + t.id(), Integer::sum)),
                    entry("collect", s -> s.collect(Collectors.summingInt(ID))),
                    entry(
                            "collect three",
                            s ->
                                    s.collect(
                                                    ArrayList<Integer>::new,
                                                    (all, t) -> all.add(t.id()),
                                                    ArrayList::addAll)
                                            .size()),
                    entry(
                            "collect aggregates",
                            s ->
                                    s.filter(ACTIVE.isTrue())
                                            .collect(
                                                    Aggregates.groupingBy(
                                                            GRADE,
                                                            Aggregates.all(
                                                                    Aggregates.count(),
                                                                    Aggregates.sum(LENGTH),
                                                                    Aggregates.max(PRICE))))),
                    entry("forEach", s -> collected(all -> s.forEach(t -> all.add(t.id())))),
                    entry(
                            "forEachOrdered",
                            s ->
                                    inTurn(all ->
                                            s.sorted(ID.reversed())
                                                    .forEachOrdered(t -> all.add(t.id())))),
                    entry("peek", s -> ids(s.peek(_ -> {}))),
                    entry(
                            "takeWhile",
                            s -> s.sorted(ID).takeWhile(t -> t.id() < 9).map(ID).toList()),
                    entry("dropWhile", s -> ordered(s.sorted(ID).dropWhile(t -> t.id() < 9))),
                    entry(
                            "gather",
                            s -> s.sorted(ID).map(ID).gather(Gatherers.windowFixed(7)).toList()),
                    entry(
                            "mapMulti",
                            s ->
                                    sorted(
                                            s.<Integer>mapMulti((t, out) -> {
                                                out.accept(t.id());
                                                out.accept(-t.id());
                                            }))),
                    entry("flatMap", s -> sorted(s.flatMap(t -> Stream.of(t.id(), t.id() + 1)))),
                    entry("flatMapToInt", s -> s.flatMapToInt(t -> IntStream.of(t.id(), 1)).sum()),
                    entry(
                            "flatMapToLong",
                            s -> s.flatMapToLong(t -> LongStream.of(t.size())).max()),
                    entry(
                            "flatMapToDouble",
                            s -> s.flatMapToDouble(t -> DoubleStream.of(t.id())).sum()),
                    entry(
                            "mapMultiToInt",
                            s -> s.mapMultiToInt((t, out) -> out.accept(t.id())).sum()),
                    entry(
                            "mapMultiToLong",
                            s -> s.mapMultiToLong((t, out) -> out.accept(t.size())).sum()),
                    entry(
                            "mapMultiToDouble",
                            s -> s.mapMultiToDouble((t, out) -> out.accept(t.id())).sum()),
                    entry("unordered", s -> ids(s.sorted(ID).unordered())),
                    entry(
                            "iterator",
                            s ->
                                    inTurn(all ->
                                            s.sorted(ID)
                                                    .map(ID)
                                                    .iterator()
                                                    .forEachRemaining(all::add))),
                    entry(
                            "spliterator",
                            s ->
                                    collected(all ->
                                            s.map(ID).spliterator().forEachRemaining(all::add))),
                    entry("concat", s -> sorted(Stream.concat(s.map(ID), Stream.of(-1)))),
                    entry(
                            "groupingBy",
                            s -> s.collect(Collectors.groupingBy(GRADE, Collectors.counting()))),
                    // ints
                    entry("ints", s -> s.sorted(ID).mapToInt(ID).toArray()),
                    entry(
                            "ints sum",
                            s -> s.filter(LENGTH.isNotNull()).mapToInt(LENGTH.asInt()).sum()),
                    entry("ints sum of nulls", s -> s.mapToInt(LENGTH.asInt()).sum()),
                    entry("ints statistics of nulls", s -> s.mapToInt(LENGTH).summaryStatistics()),
                    entry("ints min of nulls", s -> s.mapToInt(LENGTH).min()),
                    entry("ints array of nulls", s -> s.mapToInt(LENGTH).toArray()),
                    entry("ints sorted of nulls", s -> s.mapToInt(LENGTH).sorted().toArray()),
                    entry(
                            "ints skip of nulls",
                            s -> s.sorted(ID).mapToInt(LENGTH).skip(20).toArray()),
                    entry("ints distinct of nulls", s -> s.mapToInt(LENGTH).distinct().count()),
                    entry("ints first", s -> s.sorted(SIZE.reversed()).mapToInt(ID).findFirst()),
                    entry("ints any of none", s -> s.filter(ID.lessThan(0)).mapToInt(ID).findAny()),
                    entry(
                            "ints complex",
                            s ->
                                    s.filter(LENGTH.isNotNull())
                                            .sorted(LENGTH.reversed())
                                            .skip(74)
                                            .limit(5)
                                            .mapToInt(LENGTH.asInt())
                                            .summaryStatistics()
                                            .toString()),
                    entry(
                            "ints statistics of none",
                            s ->
                                    s.filter(ID.lessThan(0))
                                            .mapToInt(ID)
                                            .summaryStatistics()
                                            .toString()),
                    entry("ints average", s -> s.mapToInt(ID).average()),
                    entry(
                            "ints average of none",
                            s -> s.filter(ID.equal(-1)).mapToInt(ID).average()),
                    entry("ints max", s -> s.mapToInt(ID).max()),
                    entry("ints count", s -> s.mapToInt(ID).limit(17).count()),
                    entry(
                            "ints distinct sorted",
                            s ->
                                    s.filter(LENGTH.in(45, 50, 60, 90))
                                            .mapToInt(LENGTH)
                                            .distinct()
                                            .sorted()
                                            .skip(1)
                                            .limit(2)
                                            .toArray()),
                    entry("ints as longs", s -> s.mapToInt(ID).asLongStream().sum()),
                    entry("ints as doubles", s -> s.mapToInt(ID).asDoubleStream().max()),
                    entry("ints boxed", s -> s.sorted(ID).mapToInt(ID).boxed().toList()),
                    entry(
                            "ints as longs boxed",
                            s -> s.sorted(ID).mapToInt(ID).asLongStream().boxed().findFirst()),
                    entry("ints filter", s -> s.mapToInt(ID).filter(i -> i % 2 == 0).sum()),
                    entry("ints map", s -> s.mapToInt(ID).map(i -> i * 2).sum()),
                    entry("ints mapToObj", s -> sorted(s.mapToInt(ID).mapToObj(i -> i))),
                    entry("ints mapToLong", s -> s.mapToInt(ID).mapToLong(i -> i).sum()),
                    entry("ints mapToDouble", s -> s.mapToInt(ID).mapToDouble(i -> i).max()),
                    entry(
                            "ints flatMap",
                            s -> s.mapToInt(ID).flatMap(i -> IntStream.of(i, i)).sum()),
                    entry(
                            "ints mapMulti",
                            s -> s.mapToInt(ID).mapMulti((i, out) -> out.accept(i)).sum()),
                    entry("ints peek", s -> s.mapToInt(ID).peek(_ -> {}).sum()),
                    entry(
                            "ints takeWhile",
                            s -> s.sorted(ID).mapToInt(ID).takeWhile(i -> i < 9).toArray()),
                    entry(
                            "ints dropWhile",
                            s -> s.sorted(ID).mapToInt(ID).dropWhile(i -> i < 9).toArray()),
                    entry("ints reduce", s -> s.mapToInt(ID).reduce(0, Integer::max)),
                    entry("ints reduce optional", s -> s.mapToInt(ID).reduce(Integer::max)),
                    entry("ints anyMatch", s -> s.mapToInt(ID).anyMatch(i -> i == 3)),
                    entry("ints allMatch", s -> s.mapToInt(ID).allMatch(i -> i == 3)),
                    entry("ints noneMatch", s -> s.mapToInt(ID).noneMatch(i -> i == 3)),
                    entry("ints forEach", s -> collected(all -> s.mapToInt(ID).forEach(all::add))),
                    entry(
                            "ints forEachOrdered",
                            s -> inTurn(all -> s.sorted(ID).mapToInt(ID).forEachOrdered(all::add))),
                    entry(
                            "ints iterator",
                            s ->
                                    inTurn(all ->
                                            s.sorted(ID)
                                                    .mapToInt(ID)
                                                    .iterator()
                                                    .forEachRemaining((Integer i) -> all.add(i)))),
                    entry(
                            "ints collect",
                            s ->
                                    s.mapToInt(ID)
                                            .collect(
                                                    ArrayList<Integer>::new,
                                                    ArrayList::add,
                                                    ArrayList::addAll)
                                            .size()),
                    entry("ints unordered", s -> s.mapToInt(ID).unordered().sum()),
                    // longs
                    entry("longs", s -> s.sorted(ID).mapToLong(SIZE).toArray()),
                    entry("longs sum", s -> s.mapToLong(SIZE).sum()),
                    entry("longs min", s -> s.mapToLong(SIZE).min()),
                    entry("longs max", s -> s.mapToLong(SIZE).max()),
                    entry("longs average", s -> s.mapToLong(SIZE).average()),
                    entry(
                            "longs statistics",
                            s -> s.mapToLong(SIZE).summaryStatistics().toString()),
                    entry("longs of ints", s -> s.sorted(ID).mapToLong(ID).skip(3).toArray()),
                    entry("longs distinct", s -> s.mapToLong(SIZE).distinct().count()),
                    entry("longs sorted", s -> s.mapToLong(SIZE).sorted().limit(5).toArray()),
                    entry("longs boxed", s -> s.mapToLong(SIZE).sorted().boxed().toList()),
                    entry("longs as doubles", s -> s.mapToLong(SIZE).asDoubleStream().min()),
                    entry(
                            "longs as doubles distinct",
                            s -> s.mapToLong(SIZE).asDoubleStream().distinct().count()),
                    entry("longs first", s -> s.sorted(ID.reversed()).mapToLong(SIZE).findFirst()),
                    entry(
                            "longs filter",
                            s -> s.mapToLong(SIZE).filter(n -> n > 9_000_000_000L).count()),
                    entry("longs mapToObj", s -> sorted(s.mapToLong(SIZE).mapToObj(n -> n))),
                    entry("longs mapToInt", s -> s.mapToLong(SIZE).mapToInt(n -> (int) n).sum()),
                    // doubles
                    entry("doubles", s -> s.sorted(ID).mapToDouble(RATIO).toArray()),
                    entry(
                            "doubles sum",
                            s -> s.filter(WEIGHT.isNotNull()).mapToDouble(WEIGHT.asDouble()).sum()),
                    entry("doubles sum of nulls", s -> s.mapToDouble(WEIGHT).sum()),
                    entry("doubles min", s -> s.mapToDouble(RATIO).min()),
                    entry("doubles max", s -> s.mapToDouble(RATIO).max()),
                    entry("doubles average", s -> s.mapToDouble(RATIO).average()),
                    entry(
                            "doubles statistics",
                            s -> statistics(s.mapToDouble(RATIO).summaryStatistics())),
                    entry("doubles of ints", s -> s.mapToDouble(ID).sum()),
                    entry("doubles sum of longs", s -> s.mapToDouble(SIZE).sum()),
                    entry("doubles average of longs", s -> s.mapToDouble(SIZE).average()),
                    entry("doubles of longs", s -> s.mapToDouble(SIZE).max()),
                    entry("doubles sorted", s -> s.mapToDouble(RATIO).sorted().skip(490).toArray()),
                    entry("doubles distinct", s -> s.mapToDouble(RATIO).distinct().count()),
                    entry("doubles boxed", s -> s.mapToDouble(RATIO).sorted().boxed().toList()),
                    entry("doubles first", s -> s.sorted(ID).mapToDouble(RATIO).findFirst()),
                    entry("doubles map", s -> s.mapToDouble(RATIO).map(d -> d * 2).max()),
                    entry(
                            "doubles mapToInt",
                            s -> s.mapToDouble(RATIO).mapToInt(d -> (int) d).sum()));

    private static boolean odd(Thing thing) {
        return thing.id() % 2 == 1;
    }

    private static Object ids(Stream<Thing> stream) {
        return sorted(stream.map(ID));
    }

    private static Object ordered(Stream<Thing> stream) {
        return stream.map(ID).toList();
    }

    private static List<?> sorted(Stream<?> stream) {
        List<?> all = new ArrayList<>(stream.toList());
        all.sort(null);
        return all;
    }

    private static Object statistics(DoubleSummaryStatistics s) {
        return List.of(s.getCount(), s.getMin(), s.getMax(), s.getSum());
    }

    private static Object collected(
            java.util.function.Consumer<java.util.Collection<Integer>> program) {
        List<Integer> all = java.util.Collections.synchronizedList(new ArrayList<>());
        program.accept(all);
        return new HashSet<>(all);
    }

    private static Object inTurn(java.util.function.Consumer<List<Integer>> program) {
        List<Integer> all = new ArrayList<>();
        program.accept(all);
        return all;
    }

    static List<String> programs() {
        return PROGRAMS.keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void program_onEveryEngine_meansWhatItMeansOnAList(String name) {
        Function<Stream<Thing>, Object> program = PROGRAMS.get(name);
        Object expected = outcome(program, LIST.stream());
        ListEngine engine = new ListEngine(LIST);
        TypedTable<Thing> things = TypedTable.of(engine, Thing.TABLE);
        Map<String, Function<Plan, Optional<String>>> refusals =
                Map.of(
                        "nothing", _ -> Optional.empty(),
                        "all but rows", plan -> when(!plan.equals(things.mapping().allRows())),
                        "nesting", plan -> when(plan.source() instanceof Plan),
                        "orders", plan -> when(!plan.order().isEmpty()),
                        "slices", plan -> when(!plan.slices().isEmpty()),
                        "ends", plan -> when(!(plan.output() instanceof Plan.Output.Columns)),
                        "some filters", plan -> when(plan.filter().toString().contains("active")),
                        "expressions", plan -> when(has(plan.filter())));
        refusals.forEach((refused, refusal) -> {
            engine.refuses = refusal;
            assertThat(outcome(program, things.stream()))
                    .as("%s, refusing %s", name, refused)
                    .isEqualTo(expected);
            assertThat(engine.open).as("cursors, refusing %s", refused).hasValue(0);
            assertThat(outcome(program, things.stream().parallel()))
                    .as("%s in parallel, refusing %s", name, refused)
                    .isEqualTo(expected);
            assertThat(engine.open).as("cursors, refusing %s", refused).hasValue(0);
        });
        assertThat(engine.opened.get()).isPositive();
    }

    private static boolean has(Predicate filter) {
        return filter.toString().contains("Matches");
    }

    private static Optional<String> when(boolean refused) {
        return refused ? Optional.of("it is told so") : Optional.empty();
    }

    static Object outcome(Function<Stream<Thing>, Object> program, Stream<Thing> stream) {
        try {
            Object result = program.apply(stream);
            return switch (result) {
                case int[] a -> java.util.Arrays.toString(a);
                case long[] a -> java.util.Arrays.toString(a);
                case double[] a -> java.util.Arrays.toString(a);
                case Object[] a -> java.util.Arrays.toString(a);
                default -> result;
            };
        } catch (NullPointerException e) {
            return "NullPointerException";
        }
    }

    /** How often each shape of refusal was met is of no interest; that programs are there is. */
    @org.junit.jupiter.api.Test
    void programs_ofEveryShape_areThere() {
        AtomicInteger shapes = new AtomicInteger();
        for (String shape : List.of("ints", "longs", "doubles")) {
            if (programs().stream().filter(p -> p.startsWith(shape)).count() > 10) {
                shapes.incrementAndGet();
            }
        }
        assertThat(shapes).hasValue(3);
    }
}
