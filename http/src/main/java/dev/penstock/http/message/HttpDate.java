package dev.penstock.http.message;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** The time as HTTP writes it; the text of the current second is kept. Thread-safe. */
public final class HttpDate {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final Clock clock;
    private volatile Second current = new Second(Long.MIN_VALUE, "");

    public HttpDate(Clock clock) {
        this.clock = clock;
    }

    public String now() {
        long second = Math.floorDiv(clock.millis(), 1000L);
        Second kept = current;
        if (kept.second != second) {
            kept = new Second(second, format(Instant.ofEpochSecond(second)));
            current = kept;
        }
        return kept.text;
    }

    public static String format(Instant instant) {
        return FORMAT.format(instant);
    }

    /** Nothing where the text is not a date in the one form that senders may use. */
    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(
                    Instant.from(FORMAT.parse(text.trim())).truncatedTo(ChronoUnit.SECONDS));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    private record Second(long second, String text) {}
}
