package dev.penstock.gateway;

import dev.penstock.format.RowFormat;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PostgREST's paging by headers: {@code Range: 0-19} in rows, {@code Prefer: count=exact}, and exactly one row as an object. Since rows
 * are streamed and a head comes first, what it must know is counted by a query of its own before.
 */
final class RowRange {
    private static final Pattern RANGE = Pattern.compile("(?:items=)?([0-9]{1,18})-([0-9]{0,18})");
    private static final List<String> ONE_OBJECT =
            List.of("application/vnd.pgrst.object+json", "application/vnd.pgrst.object");

    private final Exchange exchange;
    private final Engine engine;
    private final Negotiation negotiation;

    RowRange(Exchange exchange, Engine engine, Negotiation negotiation) {
        this.exchange = exchange;
        this.engine = engine;
        this.negotiation = negotiation;
    }

    static boolean wantsTotal(Exchange exchange) {
        String preferences = String.join(",", exchange.headers("Prefer"));
        for (String preference : preferences.split("[,;]", -1)) {
            if (preference.replace(" ", "").equalsIgnoreCase("count=exact")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a request asks for any of this. */
    static boolean isAsked(Exchange exchange) {
        return wantsTotal(exchange) || wantsOneObject(exchange) || isRanged(exchange);
    }

    static boolean wantsOneObject(Exchange exchange) {
        if (exchange.parameter("format").isPresent()) {
            return false;
        }
        String accept = String.join(",", exchange.headers("Accept")).toLowerCase(Locale.ROOT);
        return ONE_OBJECT.contains(accept.split(";", 2)[0].strip());
    }

    /** Whether a header limits the rows. */
    static boolean isRanged(Exchange exchange) {
        return range(exchange) != null;
    }

    /** Whether a header limits the rows to the first few: all before its end are counted. */
    static boolean isShort(Exchange exchange) {
        Matcher range = range(exchange);
        return range != null
                && !range.group(2).isEmpty()
                && Long.parseLong(range.group(2)) < Gateway.SHORT_ROWS;
    }

    /** The range that counts: ranges of bytes, and any beside limit and offset, are not for us. */
    private static @Nullable Matcher range(Exchange exchange) {
        boolean inUrl =
                exchange.parameter("limit").isPresent() || exchange.parameter("offset").isPresent();
        Optional<String> header = exchange.header("Range");
        if (inUrl || header.isEmpty()) {
            return null;
        }
        Matcher range = RANGE.matcher(header.get().strip());
        return range.matches() ? range : null;
    }

    /** Answers with the rows of a plan, or the part of them that the headers ask for. */
    void respond(Plan plan, String name) throws IOException {
        if (wantsOneObject(exchange)) {
            oneObject(plan, name);
            return;
        }
        RowFormat format = negotiation.choose(exchange);
        Matcher range = range(exchange);
        Plan part = range == null ? plan : part(plan, range);
        if (range != null || wantsTotal(exchange)) {
            announce(part, range != null);
        }
        write(format, part, name);
    }

    private void write(RowFormat format, Plan plan, String name) throws IOException {
        Answer.write(exchange, format, () -> engine.open(plan), name);
    }

    private static Plan part(Plan plan, Matcher range) {
        long first = Long.parseLong(range.group(1));
        Plan part = first == 0 ? plan : plan.skip(first);
        if (range.group(2).isEmpty()) {
            return part;
        }
        long last = Long.parseLong(range.group(2));
        if (last < first) {
            throw notSatisfiable(
                    "the range " + first + "-" + last + " ends before it starts", "*/*");
        }
        return part.limit(last - first + 1);
    }

    /** Sets status and headers for what will be sent. */
    private void announce(Plan plan, boolean ranged) {
        boolean counted = wantsTotal(exchange);
        long first = 0;
        for (Plan.Slice slice : plan.slices()) {
            first += slice instanceof Plan.Slice.Skip skip ? skip.rows() : 0;
        }
        Plan whole = new Plan(plan.table(), plan.filter(), List.of(), List.of(), plan.output());
        long rows = count(plan);
        boolean total = counted || (ranged && rows == 0);
        String of = total ? Long.toString(count(whole)) : "*";
        if (rows == 0 && first > 0) {
            throw notSatisfiable(
                    "there are " + of + " rows; row " + first + " is past them", "*/" + of);
        }
        exchange.header("Range-Unit", "items");
        exchange.header(
                "Content-Range",
                rows == 0 ? "*/" + of : first + "-" + (first + rows - 1) + "/" + of);
        if (counted) {
            exchange.header("Preference-Applied", "count=exact");
        }
        exchange.status(of.equals(Long.toString(rows)) ? 200 : 206);
    }

    private static HttpException notSatisfiable(String problem, String contentRange) {
        return new HttpException(416, problem + "; ask for rows that there are, counted from 0")
                .with("code", "bad_range")
                .header("Content-Range", contentRange);
    }

    private void oneObject(Plan plan, String name) throws IOException {
        long rows = count(plan.limit(2));
        if (rows != 1) {
            throw new HttpException(
                            406,
                            "one object was asked for, and there "
                                    + (rows == 0 ? "is no row" : "are several rows")
                                    + "; narrow the filter, or accept application/json")
                    .with("code", "not_one_row");
        }
        write(new OneObject(), plan.limit(1), name);
    }

    /** A row as a JSON object by itself. */
    private record OneObject() implements RowFormat {
        @Override
        public String name() {
            return "object";
        }

        @Override
        public String mediaType() {
            return ONE_OBJECT.getFirst();
        }

        @Override
        public void write(Cursor rows, WritableByteChannel out) throws IOException {
            RowFormat.NDJSON.write(rows, out);
        }
    }

    private long count(Plan plan) {
        try (Cursor cursor = engine.open(plan.count())) {
            exchange.onDisconnect(cursor::cancel);
            return cursor.next() ? cursor.getLong(0) : 0;
        } catch (QueryException e) {
            throw Answer.told(e);
        }
    }
}
