package dev.penstock.daytrader.run;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.trade.OrderMode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the application. Immutable.
 *
 * @param population the sample data that a rebuild makes, and whose users and stocks scenarios use
 * @param orderMode whether an order is completed when it is submitted, or afterwards
 * @param pools the service pools; null for a new object a request
 * @param likeTheOriginal whether a balance may become negative, as in the public application
 * @param plainRequests whether actions may come by GET and without a form's token, as the public application's load
 *     scripts send them; and whether {@code /scenario} is there. What a browser says to come from another site is
 *     refused all the same
 * @param passwordIterations of PBKDF2 with HMAC-SHA-256, 1 to 10,000,000
 * @param configToken whether a token lets somebody use {@code /config} from another machine
 * @param mostSessions how many users may be logged in, 1 or more
 */
public record DayTraderSettings(
        Population population,
        OrderMode orderMode,
        @Nullable PoolSettings pools,
        boolean likeTheOriginal,
        boolean plainRequests,
        int passwordIterations,
        Predicate<String> configToken,
        int mostSessions) {
    private static final int MOST_SESSIONS = 20_000;

    public DayTraderSettings {
        var _ = Passwords.checkedIterations(passwordIterations);
        if (mostSessions < 1) {
            throw new IllegalArgumentException(
                    "%d sessions at most; it must be 1 or more".formatted(mostSessions));
        }
    }

    /**
     * The standard population, orders completed at once, a new object a request, no balance below zero, tokens on forms
     * asked for, 600,000 iterations, {@code /config} for this machine alone, 20,000 sessions.
     */
    public static final DayTraderSettings DEFAULT =
            new DayTraderSettings(
                    Population.STANDARD,
                    OrderMode.SYNCHRONOUS,
                    null,
                    false,
                    false,
                    Passwords.DEFAULT_ITERATIONS,
                    _ -> false,
                    MOST_SESSIONS);

    /** The same with another population. */
    public DayTraderSettings withPopulation(Population rows) {
        return new DayTraderSettings(
                rows,
                orderMode,
                pools,
                likeTheOriginal,
                plainRequests,
                passwordIterations,
                configToken,
                mostSessions);
    }

    /** The same with orders completed at another time. */
    public DayTraderSettings withOrderMode(OrderMode mode) {
        return new DayTraderSettings(
                population,
                mode,
                pools,
                likeTheOriginal,
                plainRequests,
                passwordIterations,
                configToken,
                mostSessions);
    }

    /** The same on service pools. */
    public DayTraderSettings withPools(PoolSettings settings) {
        return new DayTraderSettings(
                population,
                orderMode,
                settings,
                likeTheOriginal,
                plainRequests,
                passwordIterations,
                configToken,
                mostSessions);
    }

    /** The same, where a balance may become negative or not. */
    public DayTraderSettings withLikeTheOriginal(boolean negative) {
        return new DayTraderSettings(
                population,
                orderMode,
                pools,
                negative,
                plainRequests,
                passwordIterations,
                configToken,
                mostSessions);
    }

    /** The same, where the public scripts' plain requests are taken or not. */
    public DayTraderSettings withPlainRequests(boolean taken) {
        return new DayTraderSettings(
                population,
                orderMode,
                pools,
                likeTheOriginal,
                taken,
                passwordIterations,
                configToken,
                mostSessions);
    }

    /** The same with another cost of passwords. */
    public DayTraderSettings withPasswordIterations(int iterations) {
        return new DayTraderSettings(
                population,
                orderMode,
                pools,
                likeTheOriginal,
                plainRequests,
                iterations,
                configToken,
                mostSessions);
    }

    /** The same with tokens of those who may use {@code /config} from other machines. */
    public DayTraderSettings withConfigToken(Predicate<String> tokens) {
        return new DayTraderSettings(
                population,
                orderMode,
                pools,
                likeTheOriginal,
                plainRequests,
                passwordIterations,
                tokens,
                mostSessions);
    }
}
