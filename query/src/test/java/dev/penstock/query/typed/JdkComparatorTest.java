package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.typed.field.FieldOrder;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparators that the JDK makes of fields are orders of fields; others are not. */
class JdkComparatorTest {
    private static final List<Thing> LIST = Things.some(300);

    private final ListEngine engine = new ListEngine(LIST);
    private final TypedTable<Thing> things = TypedTable.of(engine, Thing.TABLE);

    @AfterEach
    void noCursor_isLeftOpen() {
        assertThat(engine.open).hasValue(0);
    }

    private static Function<Thing, Integer> id() {
        return ID.asFunction();
    }

    static List<Comparator<Thing>> made() {
        return List.<Comparator<Thing>>of(
                Comparator.comparing(id()),
                Comparator.comparingInt(ID.asInt()),
                Comparator.comparingLong(ID.asLong()),
                Comparator.comparingDouble(ID.asDouble()),
                Comparator.comparing(id()).reversed(),
                Comparator.comparingInt(ID.asInt()).reversed().reversed(),
                Comparator.comparing(id()).thenComparing(LENGTH.reversed()),
                LENGTH.comparator().thenComparing(Comparator.comparing(id())),
                Comparator.comparing(id()).thenComparing(id()).reversed());
    }

    @ParameterizedTest
    @MethodSource("made")
    void sorted_byAComparatorOfFields_isSortedByTheEngine(Comparator<Thing> comparator) {
        FieldOrder<Thing> order = FieldOrder.of(comparator);
        assertThat(order).isNotNull();
        assertThat(LIST.stream().sorted(order).toList())
                .isEqualTo(LIST.stream().sorted(comparator).toList());
        assertThat(things.stream().sorted(comparator).skip(3).limit(20).toList())
                .isEqualTo(LIST.stream().sorted(comparator).skip(3).limit(20).toList());
        assertThat(things.stream().min(comparator)).isEqualTo(LIST.stream().min(comparator));
        assertThat(things.explain(things.stream().sorted(comparator)))
                .isEqualTo(things.explain(things.stream().sorted(order)));
    }

    static List<Comparator<Thing>> others() {
        return List.<Comparator<Thing>>of(
                Comparator.comparing(Thing::name),
                Comparator.comparing((Thing thing) -> thing.name() + thing.id()),
                Comparator.comparing(id(), Comparator.reverseOrder()),
                // A null would be an error, and a field sorts it last.
                Comparator.comparing(LENGTH.asFunction()),
                Comparator.comparing(NAME.asFunction()),
                Comparator.comparing(id()).thenComparing(Thing::name),
                Comparator.nullsFirst(Comparator.comparing(id())),
                (Comparator<Thing> & Serializable) (a, b) -> b.id() - a.id(),
                new Own());
    }

    /** A comparator that may not be written. */
    private static final class Own implements Comparator<Thing>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int compare(Thing a, Thing b) {
            return a.id() - b.id();
        }

        private Object writeReplace() {
            throw new IllegalStateException("it is written");
        }
    }

    @ParameterizedTest
    @MethodSource("others")
    void order_ofAnotherComparator_isNone(Comparator<Thing> comparator) {
        assertThat(FieldOrder.of(comparator)).isNull();
    }

    @Test
    void sorted_byAComparatorInCode_isThatOfAList() {
        Comparator<Thing> comparator =
                Comparator.comparing((Thing thing) -> String.valueOf(thing.id() % 10))
                        .thenComparing(id());
        assertThat(things.stream().sorted(comparator).limit(20).toList())
                .isEqualTo(LIST.stream().sorted(comparator).limit(20).toList());
    }
}
