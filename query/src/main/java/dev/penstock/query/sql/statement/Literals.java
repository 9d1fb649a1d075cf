package dev.penstock.query.sql.statement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one plan on their way into SQL: each is made to fit what it is compared with, and how is remembered for
 * the next plan of the same shape.
 */
public final class Literals {
    /** A conversion of a value to one that fits; throws if there is none. */
    public interface Binder {
        public BoundComparison bind(Object value);
    }

    /** A function from the values of a plan to the value that is bound. */
    public interface Binding {
        Object value(BoundComparison[] comparisons);
    }

    private static final Binder NEVER_USED = _ -> new BoundComparison.Always(true);

    private final Object[] values;
    private final @Nullable Binder[] binders;
    private final BoundComparison[] comparisons;

    public Literals(List<Object> values) {
        this.values = values.toArray();
        binders = new Binder[this.values.length];
        comparisons = new BoundComparison[this.values.length];
        for (int i = 0; i < comparisons.length; i++) {
            comparisons[i] = NEVER_USED.bind(i);
        }
    }

    /** Returns the value of a parameter, or what is no parameter itself. */
    public Object raw(Object parameterOrValue) {
        return parameterOrValue instanceof Parameter(int index, _)
                ? values[index]
                : parameterOrValue;
    }

    /** Makes the value fit. */
    public BoundComparison bind(Object parameterOrValue, Binder binder) {
        if (!(parameterOrValue instanceof Parameter(int index, _))) {
            return binder.bind(parameterOrValue);
        }
        BoundComparison result = binder.bind(values[index]);
        binders[index] = binder;
        comparisons[index] = result;
        return result;
    }

    /** Returns what binds a value that was made to fit. */
    public static Binding binding(Object parameterOrValue, BoundComparison.Bound bound) {
        return parameterOrValue instanceof Parameter(int index, _)
                ? comparisons -> ((BoundComparison.Bound) comparisons[index]).value()
                : _ -> bound.value();
    }

    public BoundComparison[] comparisons() {
        return comparisons;
    }

    /** Returns how values of this shape are made to fit. */
    public Binder[] binders() {
        Binder[] all = new Binder[binders.length];
        for (int i = 0; i < all.length; i++) {
            Binder binder = binders[i];
            all[i] = binder == null ? NEVER_USED : binder;
        }
        return all;
    }
}
