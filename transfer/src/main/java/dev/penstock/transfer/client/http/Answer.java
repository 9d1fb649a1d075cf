package dev.penstock.transfer.client.http;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A response without its body.
 *
 * @param text the beginning of its body, at most {@value HttpCalls#TEXT_BYTES} bytes of it, where it was read
 */
public record Answer(URI uri, int status, HttpHeaders headers, String text) {
    /** Returns whether the status is 2xx. */
    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /**
     * Returns whether the request may be repeated after a while: the server was busy, or something on the way to it.
     */
    public boolean isPassing() {
        return switch (status) {
            case 408, 423, 425, 429, 500, 502, 503, 504 -> true;
            default -> false;
        };
    }

    /** Returns whether the server says that it has not acted on the request, and when to come again. */
    public boolean isRefusedForNow() {
        return status == 429 || status == 503;
    }

    /** The first value of a header. */
    public Optional<String> header(String name) {
        return headers.firstValue(name).map(String::strip);
    }

    /** The value of a header as a number that is not negative. */
    public OptionalLong number(String name) {
        Optional<String> value = header(name);
        if (value.isEmpty() || !value.get().matches("[0-9]{1,18}")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(value.get()));
    }

    /** The strong entity tag. */
    public Optional<String> strongTag() {
        return header("etag")
                .filter(tag -> tag.length() >= 2 && tag.startsWith("\"") && tag.endsWith("\""));
    }

    /** The wait that {@code Retry-After} asks for, in seconds or until a time. */
    public Optional<Duration> retryAfter(InstantSource clock) {
        Optional<String> value = header("retry-after");
        if (value.isEmpty()) {
            return Optional.empty();
        }
        OptionalLong seconds = number("retry-after");
        if (seconds.isPresent()) {
            return Optional.of(Duration.ofSeconds(Math.min(seconds.getAsLong(), 1L << 32)));
        }
        try {
            Instant until =
                    ZonedDateTime.parse(value.get(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            Duration wait = Duration.between(clock.instant(), until);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** The status, and what the server says about it in one line. */
    public String described() {
        String line = text.strip().replaceAll("\\s+", " ");
        if (line.startsWith("{")) {
            line = problem(line);
        } else if (line.startsWith("<")) {
            line = "";
        }
        String shown = line.length() > 300 ? line.substring(0, 300) + "…" : line;
        return shown.isEmpty() ? "status " + status : "status " + status + ": " + shown;
    }

    /** The detail of a problem document (RFC 9457), or its title. */
    private static String problem(String json) {
        for (String member : new String[] {"detail", "title"}) {
            var matcher =
                    java.util.regex.Pattern.compile(
                                    "\"" + member + "\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.){1,400})\"")
                            .matcher(json);
            if (matcher.find()) {
                return matcher.group(1).replace("\\\"", "\"").replace("\\\\", "\\");
            }
        }
        return json;
    }
}
