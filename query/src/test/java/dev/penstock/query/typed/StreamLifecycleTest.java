package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ACTIVE;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static dev.penstock.query.typed.Thing.RATIO;
import static dev.penstock.query.typed.Thing.SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of when streams ask, when they stop, when they close, and that each is used once; every cursor is closed when a
 * terminal operation is over.
 */
class StreamLifecycleTest {
    private final ListEngine engine = new ListEngine(Things.some(5000));
    private final TypedTable<Thing> things = TypedTable.of(engine, Thing.TABLE);

    @AfterEach
    void noCursor_isLeftOpen() {
        assertThat(engine.open).hasValue(0);
    }

    @Test
    void operations_beforeTheTerminalOne_askNothing() {
        AtomicInteger seen = new AtomicInteger();
        Stream<Integer> stream =
                things.stream()
                        .filter(ACTIVE.isTrue())
                        .sorted(ID)
                        .peek(_ -> seen.incrementAndGet())
                        .map(ID);
        assertThat(engine.opened).hasValue(0);
        assertThat(seen).hasValue(0);
        assertThat(stream.limit(3).toList()).containsExactly(3, 6, 9);
        assertThat(seen).hasValue(3);
    }

    @Test
    void shortCircuit_afterALambda_stopsReading() {
        assertThat(things.stream().sorted(ID).anyMatch(t -> t.id() == 10)).isTrue();
        assertThat(engine.rowsRead).hasValue(10);
        assertThat(things.stream().sorted(ID).filter(t -> t.id() > 5).findFirst()).isPresent();
        assertThat(engine.rowsRead).hasValue(16);
        assertThat(things.stream().sorted(ID).map(t -> t.id()).limit(4).toList()).hasSize(4);
        assertThat(engine.rowsRead).hasValue(20);
        assertThat(things.stream().sorted(ID).takeWhile(t -> t.id() < 4).count()).isEqualTo(3);
        assertThat(engine.rowsRead).hasValue(24);
        assertThat(things.stream().sorted(ID).mapToInt(ID).filter(i -> i > 2).findFirst())
                .hasValue(3);
        assertThat(engine.rowsRead).hasValue(27);
        assertThat(
                        things.stream()
                                .sorted(ID)
                                .gather(Gatherers.windowFixed(5))
                                .findFirst()
                                .orElseThrow())
                .hasSize(5);
        assertThat(engine.rowsRead.get()).isLessThanOrEqualTo(33);
    }

    private static final List<Function<TypedTable<Thing>, BaseStream<?, ?>>> STAGES =
            List.of(
                    TypedTable::stream,
                    t -> t.stream().filter(_ -> true),
                    t -> t.stream().map(NAME),
                    t -> t.stream().mapToInt(ID),
                    t -> t.stream().mapToInt(Thing::id),
                    t -> t.stream().mapToLong(SIZE),
                    t -> t.stream().mapToLong(Thing::size),
                    t -> t.stream().mapToDouble(RATIO),
                    t -> t.stream().mapToDouble(Thing::ratio));

    /** Each operation of each stage, as a program that uses the stage and then the same again. */
    @Test
    void everyOperation_ofAUsedStage_isAnError() throws IllegalAccessException {
        int operations = 0;
        for (Function<TypedTable<Thing>, BaseStream<?, ?>> stage : STAGES) {
            for (Method method : operations(shape(stage.apply(things)))) {
                BaseStream<?, ?> stream = stage.apply(things);
                use(stream);
                assertThat(failure(method, stream))
                        .as("%s of a used %s", method, stream.getClass().getSimpleName())
                        .isInstanceOf(IllegalStateException.class);
                BaseStream<?, ?> closed = stage.apply(things);
                closed.close();
                assertThat(failure(method, closed))
                        .as("%s of a closed %s", method, stream.getClass().getSimpleName())
                        .isInstanceOf(IllegalStateException.class);
                operations += 2;
            }
        }
        assertThat(operations).isGreaterThan(600);
    }

    /** Each operation of each stage, that the stage is used up by it. */
    @Test
    void everyOperation_usesItsStageUp() throws IllegalAccessException {
        for (Function<TypedTable<Thing>, BaseStream<?, ?>> stage : STAGES) {
            for (Method method : operations(shape(stage.apply(things)))) {
                if (method.getName().equals("onClose")) {
                    continue;
                }
                try (BaseStream<?, ?> stream = stage.apply(things)) {
                    failure(method, stream);
                    assertThatThrownBy(() -> use(stream))
                            .as("%s of %s", method, stream.getClass().getSimpleName())
                            .isInstanceOf(IllegalStateException.class);
                }
            }
        }
    }

    private static void use(BaseStream<?, ?> stream) {
        long ignored =
                switch (stream) {
                    case IntStream s -> s.count();
                    case LongStream s -> s.count();
                    case DoubleStream s -> s.count();
                    case Stream<?> s -> s.count();
                    default -> throw new AssertionError();
                };
        assertThat(ignored).isNotNegative();
    }

    private static Class<?> shape(BaseStream<?, ?> stream) {
        return switch (stream) {
            case IntStream _ -> IntStream.class;
            case LongStream _ -> LongStream.class;
            case DoubleStream _ -> DoubleStream.class;
            default -> Stream.class;
        };
    }

    private static List<Method> operations(Class<?> shape) {
        List<String> flags = List.of("close", "isParallel", "parallel", "sequential", "unordered");
        return Arrays.stream(shape.getMethods())
                .filter(m -> !Modifier.isStatic(m.getModifiers()) && !m.isBridge())
                .filter(m -> !flags.contains(m.getName()))
                .toList();
    }

    private static Throwable failure(Method method, BaseStream<?, ?> stream)
            throws IllegalAccessException {
        Object[] arguments =
                Arrays.stream(method.getParameterTypes())
                        .map(StreamLifecycleTest::argument)
                        .toArray();
        try {
            method.invoke(stream, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    private static Object argument(Class<?> type) {
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == double.class) {
            return 1.0;
        }
        if (type == Comparator.class) {
            return Comparator.comparingInt(Object::hashCode);
        }
        if (type == java.util.stream.Collector.class) {
            return java.util.stream.Collectors.counting();
        }
        if (type == java.util.stream.Gatherer.class) {
            return Gatherers.windowFixed(2);
        }
        return type.isInterface()
                ? java.lang.reflect.Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, m, a) -> result(m.getReturnType(), a))
                : new Object();
    }

    private static Object result(Class<?> type, Object[] arguments) {
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == double.class) {
            return 1.0;
        }
        if (type == IntStream.class) {
            return IntStream.of(1);
        }
        if (type == LongStream.class) {
            return LongStream.of(1);
        }
        if (type == DoubleStream.class) {
            return DoubleStream.of(1);
        }
        if (type == Stream.class) {
            return Stream.of(1);
        }
        return arguments == null ? null : arguments[0];
    }

    @Test
    void onClose_runsItsHandlersInOrderAndOnceAndOnlyByClose() {
        List<String> closed = new ArrayList<>();
        Stream<Thing> first = things.stream().onClose(() -> closed.add("first"));
        Stream<Integer> last =
                first.filter(ACTIVE.isTrue())
                        .onClose(() -> closed.add("second"))
                        .map(t -> t.id())
                        .onClose(() -> closed.add("third"));
        assertThat(last.count()).isPositive();
        assertThat(closed).isEmpty();
        last.close();
        last.close();
        first.close();
        assertThat(closed).containsExactly("first", "second", "third");
        assertThatThrownBy(() -> last.onClose(() -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onClose_thatFails_letsTheOthersRunAndSuppressesTheirFailures() {
        List<String> closed = new ArrayList<>();
        Stream<Thing> stream =
                things.stream()
                        .onClose(() -> {
                            throw new IllegalArgumentException("one");
                        })
                        .onClose(() -> closed.add("two"))
                        .onClose(() -> {
                            throw new UnsupportedOperationException("three");
                        });
        assertThatThrownBy(stream::close)
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactly("two");
        assertThatCode(stream::close).doesNotThrowAnyException();
    }

    @Test
    void close_beforeTheTerminalOperation_leavesNothingToRead() {
        Stream<Thing> first = things.stream();
        Stream<Integer> second = first.map(t -> t.id());
        first.close();
        assertThatThrownBy(second::toList).isInstanceOf(IllegalStateException.class);
        assertThat(engine.opened).hasValue(0);
    }

    @Test
    void terminalOperation_ofAStreamThatWasUsed_leavesTheOneAfterItAsItWas() {
        Stream<Integer> used = things.stream().sorted(ID).map(t -> t.id());
        Stream<Integer> next = used.map(i -> i + 1);
        assertThatThrownBy(used::findFirst).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(used::iterator).isInstanceOf(IllegalStateException.class);
        assertThat(next.toList()).hasSize(5000);
    }

    @Test
    void exception_ofALambda_closesTheCursor() {
        for (boolean parallel : List.of(false, true)) {
            Stream<Thing> stream = parallel ? things.stream().parallel() : things.stream();
            assertThatThrownBy(() ->
                            stream.forEach(t -> {
                                throw new IllegalArgumentException("no " + t.id());
                            }))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(engine.open).hasValue(0);
        }
        assertThatThrownBy(() -> things.stream().mapToInt(LENGTH).toArray())
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void failure_ofClosing_isSuppressedByAnEarlierOneAndElseThrown() {
        engine.onClose = new IllegalStateException("closing failed");
        assertThatThrownBy(() ->
                        things.stream()
                                .forEach(_ -> {
                                    throw new IllegalArgumentException("first");
                                }))
                .hasMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("closing failed"));
        assertThatThrownBy(() -> things.stream().anyMatch(t -> t.id() == 3))
                .hasMessage("closing failed");
        assertThatThrownBy(() -> things.stream().count()).hasMessage("closing failed");
    }

    @Test
    void iterator_closesAtItsEndOrByClose() {
        Iterator<Thing> all = things.stream().filter(ID.lessThan(4)).iterator();
        assertThat(engine.opened).hasValue(0);
        int rows = 0;
        while (all.hasNext()) {
            assertThat(all.next()).isNotNull();
            rows++;
        }
        assertThat(rows).isEqualTo(3);
        assertThat(engine.open).hasValue(0);
        try (Stream<Thing> stream = things.stream()) {
            assertThat(stream.iterator().next()).isNotNull();
            assertThat(engine.open).hasValue(1);
        }
        assertThat(engine.open).hasValue(0);
    }

    @Test
    void spliterator_closesAtItsEndOrByClose() {
        Spliterator<Integer> all = things.stream().sorted(ID).map(ID).spliterator();
        assertThat(all.hasCharacteristics(Spliterator.ORDERED)).isTrue();
        assertThat(things.stream().spliterator().hasCharacteristics(Spliterator.ORDERED)).isFalse();
        List<Integer> read = new ArrayList<>();
        assertThat(all.tryAdvance(read::add)).isTrue();
        assertThat(engine.open).hasValue(1);
        all.forEachRemaining(read::add);
        assertThat(read).hasSize(5000).startsWith(1, 2);
        assertThat(engine.open).hasValue(0);
        try (IntStream stream = things.stream().mapToInt(ID)) {
            Spliterator.OfInt some = stream.spliterator();
            assertThat(some.tryAdvance((int _) -> {})).isTrue();
            assertThat(engine.open).hasValue(1);
        }
    }

    @Test
    void parallel_readsOneCursorByManyThreadsInBoundedBatches() {
        AtomicInteger rows = new AtomicInteger();
        things.stream().parallel().filter(t -> t.id() > 0).forEach(_ -> rows.incrementAndGet());
        assertThat(rows).hasValue(5000);
        assertThat(engine.opened).hasValue(1);
        assertThat(things.stream().sorted(ID).parallel().map(t -> t.id()).toList())
                .isEqualTo(IntStream.rangeClosed(1, 5000).boxed().toList());
        assertThat(things.stream().map(t -> t.id()).parallel().isParallel()).isTrue();
        assertThat(things.stream().parallel().sequential().isParallel()).isFalse();
        assertThat(things.stream().parallel().anyMatch(t -> t.id() == 2500)).isTrue();
    }

    @Test
    void streams_withinStreams_closeAll() {
        long pairs =
                things.stream()
                        .filter(ID.lessOrEqual(3))
                        .flatMap(t -> things.stream().filter(ID.lessThan(t.id())))
                        .count();
        assertThat(pairs).isEqualTo(3);
        assertThat(
                        things.stream()
                                .filter(ID.lessOrEqual(3))
                                .flatMap(t -> things.stream().map(u -> u.id()))
                                .limit(2)
                                .count())
                .isEqualTo(2);
        assertThat(engine.open).hasValue(0);
        try (Stream<Thing> both =
                Stream.concat(
                        things.stream().filter(ID.equal(1)), things.stream().filter(ID.equal(2)))) {
            assertThat(both.map(ID).toList()).containsExactly(1, 2);
        }
    }

    @Test
    void slices_afterALambda_comeInTheOrderOfTheKey() {
        assertThat(things.stream().filter(t -> t.id() % 2 == 0).skip(2).limit(3).map(ID).toList())
                .containsExactly(6, 8, 10);
    }

    @Test
    void arguments_thatAreNoneOrNegative_failAtOnceAndLeaveTheStreamAsItWas() {
        Stream<Thing> stream = things.stream();
        assertThatThrownBy(() -> stream.filter(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> stream.map(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> stream.limit(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stream.skip(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stream.forEach(null)).isInstanceOf(NullPointerException.class);
        assertThat(stream.count()).isEqualTo(5000);
    }

    @Test
    void stream_closedWhileItIsRead_neverEndsAsIfItWereComplete() {
        Stream<Thing> stream = things.stream();
        assertThatThrownBy(() -> stream.forEach(_ -> stream.close()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed before its last row");
        Stream<Thing> iterated = things.stream();
        Iterator<Thing> rows = iterated.iterator();
        assertThat(rows.next()).isNotNull();
        iterated.close();
        assertThatThrownBy(rows::hasNext).isInstanceOf(IllegalStateException.class);
        Stream<Thing> complete = things.stream();
        Iterator<Thing> all = complete.iterator();
        all.forEachRemaining(_ -> {});
        complete.close();
        assertThat(all.hasNext()).isFalse();
    }

    @Test
    void findFirst_afterALambda_isTheFirstByKey() {
        assertThat(things.stream().filter(t -> t.id() > 7).findFirst().map(ID)).hasValue(8);
        assertThat(things.stream().mapToInt(ID).filter(i -> i > 7).findFirst()).hasValue(8);
    }
}
