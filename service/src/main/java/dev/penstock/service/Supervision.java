package dev.penstock.service;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The decision what becomes of an instance whose call threw. Immutable: each method returns a new value.
 *
 * <p>The defaults are those of Jakarta Enterprise Beans: a checked exception is a result like any other and the
 * instance goes on ({@link Directive#RESUME}); a {@link RuntimeException} or an {@link Error} may have left the
 * instance in pieces, so that it is made anew ({@link Directive#RESTART}). A {@link ServiceException}, which comes from
 * another pool that the service called, resumes. Name those exceptions that say nothing about the instance, such as
 * {@link IllegalArgumentException}, with {@link #resume}.
 *
 * <p>The first restart after a call that succeeded happens at once; each further failure, of a call or of the start
 * itself, waits for the {@link Backoff}. Restarts go on for ever unless there is a {@link #limit}.
 */
public final class Supervision {
    /** The fate of an instance whose call threw. */
    public enum Directive {
        /** The instance goes on with the next call. */
        RESUME,
        /** The service object is stopped and another one made in its place. */
        RESTART,
        /** The service object is stopped, and nothing takes its place until the pool is resized. */
        STOP
    }

    private static final Supervision STANDARD =
            new Supervision(
                    Map.of(
                            Throwable.class,
                            Directive.RESTART,
                            Exception.class,
                            Directive.RESUME,
                            RuntimeException.class,
                            Directive.RESTART,
                            ServiceException.class,
                            Directive.RESUME),
                    Backoff.standard(),
                    Integer.MAX_VALUE,
                    Duration.ofDays(1));

    private final Map<Class<?>, Directive> directives;
    private final Backoff backoff;
    private final int restarts;
    private final Duration within;

    private Supervision(
            Map<Class<?>, Directive> directives, Backoff backoff, int restarts, Duration within) {
        this.directives = directives;
        this.backoff = backoff;
        this.restarts = restarts;
        this.within = within;
    }

    /** Returns the defaults. */
    public static Supervision standard() {
        return STANDARD;
    }

    /** Lets instances go on after these exceptions and their subclasses. */
    @SafeVarargs
    public final Supervision resume(Class<? extends Throwable>... failures) {
        Supervision changed = this;
        for (Class<? extends Throwable> failure : failures) {
            changed = changed.with(Directive.RESUME, failure);
        }
        return changed;
    }

    /** Restarts instances after these exceptions and their subclasses. */
    @SafeVarargs
    public final Supervision restart(Class<? extends Throwable>... failures) {
        Supervision changed = this;
        for (Class<? extends Throwable> failure : failures) {
            changed = changed.with(Directive.RESTART, failure);
        }
        return changed;
    }

    /** Stops instances after these exceptions and their subclasses. */
    @SafeVarargs
    public final Supervision stop(Class<? extends Throwable>... failures) {
        Supervision changed = this;
        for (Class<? extends Throwable> failure : failures) {
            changed = changed.with(Directive.STOP, failure);
        }
        return changed;
    }

    /** Sets the delay between repeated restarts. */
    public Supervision backoff(Backoff delays) {
        return new Supervision(directives, requireNonNull(delays), restarts, within);
    }

    /**
     * Bounds the restarts of each instance: the one that would exceed it stops the instance instead. Failed starts
     * count.
     *
     * @param most the most restarts within the time; not negative
     * @param time the time; positive
     */
    public Supervision limit(int most, Duration time) {
        if (most < 0 || time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(
                    "Supervision: a limit of "
                            + most
                            + " restarts within "
                            + time
                            + "; it must be 0 or more within a positive time.");
        }
        return new Supervision(directives, backoff, most, time);
    }

    /** Returns what becomes of an instance after a failure: the directive of the nearest superclass that has one. */
    public Directive directive(Throwable failure) {
        for (Class<?> type = failure.getClass(); ; type = requireNonNull(type.getSuperclass())) {
            Directive directive = directives.get(type);
            if (directive != null) {
                return directive;
            }
        }
    }

    Backoff backoff() {
        return backoff;
    }

    int restarts() {
        return restarts;
    }

    Duration within() {
        return within;
    }

    private Supervision with(Directive directive, Class<? extends Throwable> failure) {
        Map<Class<?>, Directive> changed = new HashMap<>(directives);
        changed.put(failure, directive);
        return new Supervision(Map.copyOf(changed), backoff, restarts, within);
    }
}
