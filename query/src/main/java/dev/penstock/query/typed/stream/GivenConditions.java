package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.aggregate.AggregateCollector;
import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.MixedPredicate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.BaseStream;

/** The conditions on fields in what an operation is given for the JVM to test or to collect by, as far as it tells. */
final class GivenConditions {
    private GivenConditions() {}

    /**
     * Returns the conditions.
     *
     * @param given a predicate or a collector
     */
    static List<Condition<?>> of(Object given) {
        List<Condition<?>> conditions = new ArrayList<>();
        Deque<Object> left = new ArrayDeque<>(List.of(given));
        while (!left.isEmpty()) {
            switch (left.pop()) {
                case Condition<?> condition -> conditions.add(condition);
                case MixedPredicate<?> mixed -> mixed.parts().reversed().forEach(left::push);
                case AggregateCollector<?, ?> collector ->
                        conditions.addAll(collector.conditions());
                default -> {}
            }
        }
        return conditions;
    }

    /**
     * Reads the values of streams that the conditions compare with, while no row of the stream is read.
     *
     * @return the stream
     */
    static <S extends BaseStream<?, ?>> S known(S stream, Object given) {
        of(given).forEach(JvmOperation::readValues);
        return stream;
    }
}
