package dev.penstock.query.typed.field;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the comparators that {@link Comparator#comparing}, {@code comparingInt} and its like,
 * {@code thenComparing} and {@code reversed} make of fields.
 *
 * <p>They are lambdas of the JDK that can be serialized, and what would be written of such a lambda is what it holds:
 * the function, or the two comparators. Nothing is written here; the writing ends as soon as that is known. A
 * comparator of anyone else is not looked at.
 */
final class JdkComparators {
    private static final String LAMBDA = "java.util.Comparator$$Lambda";
    private static final String REVERSED = "java.util.Collections$ReverseComparator2";

    private JdkComparators() {}

    /**
     * Returns the order that a comparator of the JDK is; null where it is none of fields, or one that a field has not:
     * texts compare by their chars, and a null is an error.
     */
    static <R> @Nullable FieldOrder<R> order(Comparator<? super R> comparator) {
        String name = comparator.getClass().getName();
        boolean isReversed = name.equals(REVERSED);
        if (!isReversed && !name.startsWith(LAMBDA)) {
            return null;
        }
        SerializedLambda lambda = Reading.of(comparator);
        FieldOrder<R> order = lambda == null ? null : order(lambda);
        return order == null || !isReversed ? order : order.reversed();
    }

    private static <R> @Nullable FieldOrder<R> order(SerializedLambda lambda) {
        String method = lambda.getImplMethodName();
        int captured = lambda.getCapturedArgCount();
        if (method.startsWith("lambda$thenComparing$") && captured == 2) {
            FieldOrder<R> first = part(lambda.getCapturedArg(0));
            FieldOrder<R> then = part(lambda.getCapturedArg(1));
            return first == null || then == null ? null : first.thenComparing(then);
        }
        boolean isNumber =
                method.startsWith("lambda$comparingInt$")
                        || method.startsWith("lambda$comparingLong$")
                        || method.startsWith("lambda$comparingDouble$");
        boolean isNatural = method.startsWith("lambda$comparing$") && captured == 1;
        return (isNumber || isNatural) && captured == 1
                ? natural(lambda.getCapturedArg(0), method.startsWith("lambda$comparingDouble$"))
                : null;
    }

    @SuppressWarnings("unchecked") // a part of a comparator of R is one of R
    private static <R> @Nullable FieldOrder<R> part(Object part) {
        return part instanceof Comparator<?> comparator
                ? FieldOrder.of((Comparator<R>) comparator)
                : null;
    }

    @SuppressWarnings("unchecked") // a function of R that is a field is one of R's
    private static <R> @Nullable FieldOrder<R> natural(Object function, boolean asDouble) {
        if (!(function instanceof Field<?, ?> field) || field.isNullable()) {
            return null;
        }
        boolean isSame =
                switch (field) {
                    case IntField<?> _,
                            FloatField<?> _,
                            DoubleField<?> _,
                            BooleanField<?> _,
                            CharField<?> _,
                            EnumField<?, ?> _ ->
                            true;
                    // Two longs may be the same double.
                    case LongField<?> _ -> !asDouble;
                    case ValueField<?, ?> values -> values.type() != UUID.class;
                    case TextField<?> _, BinaryField<?> _ -> false;
                };
        return isSame ? FieldOrder.of((Field<R, ?>) field) : null;
    }

    /** A writing of one comparator that ends when its lambda is known. */
    private static final class Reading extends ObjectOutputStream {
        private final List<SerializedLambda> found = new ArrayList<>();

        private Reading() throws IOException {
            super(OutputStream.nullOutputStream());
            enableReplaceObject(true);
        }

        /** Returns the first lambda of a comparator; null where it can't be had. */
        static @Nullable SerializedLambda of(Comparator<?> comparator) {
            try (Reading reading = new Reading()) {
                try {
                    reading.writeObject(comparator);
                } catch (Known known) {
                    return reading.found.isEmpty() ? null : reading.found.getFirst();
                }
            } catch (IOException | RuntimeException e) {
                // It is compared by calling it.
            }
            return null;
        }

        @Override
        protected Object replaceObject(Object object) throws IOException {
            if (object instanceof SerializedLambda lambda) {
                boolean isJdks = lambda.getCapturingClass().equals("java/util/Comparator");
                if (isJdks) {
                    found.add(lambda);
                }
                throw new Known();
            }
            if (!object.getClass().getName().equals(REVERSED)) {
                throw new Known();
            }
            return object;
        }
    }

    /** The end of a writing of which enough is known. */
    private static final class Known extends IOException {
        private static final long serialVersionUID = 1L;

        Known() {
            super("the lambda is known");
        }
    }
}
