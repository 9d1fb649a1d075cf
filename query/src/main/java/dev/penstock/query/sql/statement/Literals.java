package dev.penstock.query.sql.statement;

import dev.penstock.query.sql.render.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one plan on their way into SQL: each is made to fit what it is compared with, and how is remembered for the
 * next plan of the same {@link Shape}.
 */
public final class Literals {
    /** Makes a value fit; throws if it can't. */
    public interface Fitting {
        public Fitted fit(Object value);
    }

    /** What is bound, of the values of a plan. */
    public interface Binding {
        Object value(Fitted[] fitted);
    }

    private static final Fitting NEVER_USED = _ -> new Fitted.Always(true);

    private final Object[] values;
    private final @Nullable Fitting[] fittings;
    private final Fitted[] fitted;

    public Literals(List<Object> values) {
        this.values = values.toArray();
        fittings = new Fitting[this.values.length];
        fitted = new Fitted[this.values.length];
        for (int i = 0; i < fitted.length; i++) {
            fitted[i] = NEVER_USED.fit(i);
        }
    }

    /** The value of a slot, or what is no slot itself. */
    public Object raw(Object slotOrValue) {
        return slotOrValue instanceof Slot(int index) ? values[index] : slotOrValue;
    }

    /** Makes the value fit. */
    public Fitted fit(Object slotOrValue, Fitting fitting) {
        if (!(slotOrValue instanceof Slot(int index))) {
            return fitting.fit(slotOrValue);
        }
        Fitted result = fitting.fit(values[index]);
        fittings[index] = fitting;
        fitted[index] = result;
        return result;
    }

    /** What binds a value that was made to fit. */
    public static Binding binding(Object slotOrValue, Fitted.Bound bound) {
        return slotOrValue instanceof Slot(int index)
                ? fitted -> ((Fitted.Bound) fitted[index]).value()
                : _ -> bound.value();
    }

    public Fitted[] fitted() {
        return fitted;
    }

    /** How values of this shape are made to fit. */
    public Fitting[] fittings() {
        Fitting[] all = new Fitting[fittings.length];
        for (int i = 0; i < all.length; i++) {
            Fitting fitting = fittings[i];
            all[i] = fitting == null ? NEVER_USED : fitting;
        }
        return all;
    }
}
