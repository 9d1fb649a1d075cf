package dev.penstock.http.limits;

import java.time.Duration;

/** Checks of settings against their bounds, with messages that name both. */
public final class Bounds {
    private Bounds() {}

    public static int within(String setting, int value, int least, int most) {
        return (int) within(setting, (long) value, least, most);
    }

    public static long within(String setting, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s is %d; it must be from %d to %d".formatted(setting, value, least, most));
        }
        return value;
    }

    /** Spells a time as messages do: 10 s, 250 ms. */
    public static String text(Duration time) {
        long millis = time.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    public static Duration positive(String setting, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(setting + " is " + value + "; it must be positive");
        }
        return value;
    }
}
