package dev.penstock.daytrader.page;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and times as pages show them. */
public final class Texts {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private Texts() {}

    /** {@code 1,234.50}. */
    public static String money(BigDecimal amount) {
        return String.format(Locale.ROOT, "%,.2f", amount);
    }

    /** {@code +1.20}. */
    public static String change(double change) {
        return String.format(Locale.ROOT, "%+.2f", change);
    }

    /** {@code 1,234}. */
    public static String whole(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    /** A time of UTC, or a dash. */
    public static String time(@Nullable Instant time) {
        return time == null ? "–" : TIME.format(time);
    }

    /** The class of a number's colour. */
    public static String colour(double change) {
        return change > 0 ? "up" : change < 0 ? "down" : "same";
    }
}
