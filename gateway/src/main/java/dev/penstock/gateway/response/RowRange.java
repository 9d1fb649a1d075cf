package dev.penstock.gateway.response;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.problem.Problems;
import dev.penstock.gateway.request.Negotiation;
import dev.penstock.gateway.request.Preferences;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Window;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PostgREST's paging by headers: {@code Range: 0-19} in rows, {@code Prefer: count=exact}, and exactly one row as an
 * object. Since rows are streamed and a head comes first, what it must know is counted by a query of its own before.
 */
public final class RowRange {
    private static final Pattern RANGE = Pattern.compile("(?:items=)?([0-9]{1,18})-([0-9]{0,18})");
    private static final List<String> ONE_OBJECT =
            List.of("application/vnd.pgrst.object+json", "application/vnd.pgrst.object");

    private final Exchange exchange;
    private final Engine engine;
    private final Negotiation negotiation;
    private final Preferences preferences;
    private final UnaryOperator<Cursor> rows;

    /**
     * @param rows what is put around the cursor whose rows are sent
     */
    public RowRange(
            Exchange exchange, Engine engine, Negotiation negotiation, UnaryOperator<Cursor> rows) {
        this.rows = rows;
        this.exchange = exchange;
        this.engine = engine;
        this.negotiation = negotiation;
        this.preferences = Preferences.of(exchange);
    }

    public static boolean wantsTotal(Exchange exchange) {
        return Preferences.of(exchange).count() == Preferences.Count.EXACT;
    }

    /** Returns whether a request asks for any of this. */
    public static boolean isAsked(Exchange exchange) {
        return wantsTotal(exchange) || wantsOneObject(exchange) || isRanged(exchange);
    }

    public static boolean wantsOneObject(Exchange exchange) {
        if (exchange.parameter("format").isPresent()) {
            return false;
        }
        String accept = String.join(",", exchange.headers("Accept")).toLowerCase(Locale.ROOT);
        return ONE_OBJECT.contains(accept.split("[;,]", 2)[0].strip());
    }

    /** Returns whether a header limits the rows, and no limit in the URL does. */
    public static boolean isRanged(Exchange exchange) {
        boolean limited = exchange.parameter("limit").isPresent();
        return !limited && range(exchange) != null;
    }

    /** Returns whether a header limits the rows to the first few: all before its end are counted. */
    public static boolean isShort(Exchange exchange) {
        Matcher range = range(exchange);
        return range != null
                && !range.group(2).isEmpty()
                && Long.parseLong(range.group(2)) < TableSizes.SHORT_ROWS;
    }

    /** The range that counts: ranges of bytes are not for us. */
    private static @Nullable Matcher range(Exchange exchange) {
        Optional<String> header = exchange.header("Range");
        Matcher range = header.isEmpty() ? null : RANGE.matcher(header.get().strip());
        return range != null && range.matches() ? range : null;
    }

    /** Answers with the rows of a plan, or the part of them that the headers ask for. */
    public void respond(Plan plan, String name) throws IOException {
        preferences.requireKnown();
        if (wantsOneObject(exchange)) {
            oneObject(plan, name);
            return;
        }
        RowFormat format = negotiation.choose(exchange);
        Matcher range = range(exchange);
        Plan whole = new Plan(plan.source(), plan.filter(), plan.order(), List.of(), plan.output());
        Part part = Part.of(plan.slices());
        if (range != null) {
            part = part.within(range);
            requireStart(part);
        } else {
            ResumeHeader.of(plan, format)
                    .ifPresent(columns -> exchange.header(ResumeHeader.NAME, columns));
        }
        Plan read = range == null ? plan : part.of(whole);
        announce(whole, part, range != null);
        write(format, read, name);
    }

    /** A range that does not start with the first row is an offset, which nobody wants twice. */
    private void requireStart(Part part) {
        if (part.first() > 0 && exchange.parameter("after").isPresent()) {
            throw Problems.of(
                    400,
                    "bad_range",
                    "Range stands beside after, which says itself where the rows start",
                    null,
                    "leave Range out, or let it start at 0");
        }
    }

    private void write(RowFormat format, Plan plan, String name) throws IOException {
        RowResponse.write(exchange, format, () -> rows.apply(engine.open(plan)), name);
    }

    /**
     * Rows by their place in the whole answer.
     *
     * @param first the place of the first, counted from 0
     * @param limit how many at the most
     */
    private record Part(long first, long limit) {
        static Part of(List<Plan.Slice> slices) {
            Window window = Window.of(slices);
            return new Part(window.offset(), window.isLimited() ? window.limit() : Long.MAX_VALUE);
        }

        /** The rows that are also in a range of the header. */
        Part within(Matcher range) {
            long from = Long.parseLong(range.group(1));
            String end = range.group(2);
            long last = end.isEmpty() ? Long.MAX_VALUE : Long.parseLong(end);
            if (last < from) {
                throw notSatisfiable(
                        "the range " + from + "-" + last + " ends before it starts",
                        "ask for rows that there are, counted from 0",
                        "*/*");
            }
            long start = Math.max(first, from);
            // The end may be beyond any number: then there is none.
            long after = first + limit < 0 ? Long.MAX_VALUE : first + limit;
            long stop = last == Long.MAX_VALUE ? after : Math.min(after, last + 1);
            if (stop <= start && limit > 0) {
                throw notSatisfiable(
                        "limit, offset and the range have no row in common",
                        "ask for one of them alone",
                        "*/*");
            }
            return new Part(start, stop == Long.MAX_VALUE ? stop : Math.max(0, stop - start));
        }

        Plan of(Plan whole) {
            Plan rest = first == 0 ? whole : whole.skip(first);
            return limit == Long.MAX_VALUE ? rest : rest.limit(limit);
        }

        /** How many of so many rows are in it. */
        long rows(long total) {
            return Math.clamp(total - first, 0, limit);
        }
    }

    /**
     * The number of rows in all.
     *
     * @param rows how many; −1 where that is not known
     * @param exact whether they were counted
     */
    private record Total(long rows, boolean exact) {
        static final Total UNKNOWN = new Total(-1, false);

        boolean isKnown() {
            return rows >= 0;
        }
    }

    /** Sets status and headers for what will be sent. */
    private void announce(Plan whole, Part part, boolean ranged) {
        Total total = total(whole);
        boolean wanted = preferences.count() != Preferences.Count.NONE;
        preferences.requireCount(!wanted || total.isKnown());
        preferences.announce(exchange, wanted && total.isKnown());
        if (!total.isKnown() && !ranged) {
            return;
        }
        long rows = rows(whole, part, total, ranged);
        if (rows == 0 && !total.exact()) {
            total = new Total(count(whole), true);
        }
        // There are more than were expected where the rows that are sent say so.
        long expected = total.exact() ? total.rows() : Math.max(total.rows(), part.first() + rows);
        String of = total.isKnown() ? Long.toString(expected) : "*";
        if (rows == 0 && part.first() > 0) {
            throw notSatisfiable(
                    "there are " + of + " rows; row " + part.first() + " is past them",
                    "ask for rows that there are, counted from 0",
                    "*/" + of);
        }
        String shown = rows <= 0 ? "*" : part.first() + "-" + (part.first() + rows - 1);
        exchange.header("Range-Unit", "items").header("Content-Range", shown + "/" + of);
        exchange.status(rows <= 0 || of.equals(Long.toString(rows)) ? 200 : 206);
    }

    /** How many rows will be sent; −1 where finding out would be a count of them all, which nobody asked for. */
    private long rows(Plan whole, Part part, Total total, boolean ranged) {
        if (total.exact()) {
            return part.rows(total.rows());
        }
        return ranged || part.limit() <= TableSizes.SHORT_ROWS ? count(part.of(whole)) : -1;
    }

    private Total total(Plan whole) {
        return switch (preferences.count()) {
            case NONE -> Total.UNKNOWN;
            case EXACT -> new Total(count(whole), true);
            case PLANNED -> new Total(estimate(whole), false);
            case ESTIMATED -> {
                long some = count(whole.limit(TableSizes.SHORT_ROWS + 1));
                long expected = some > TableSizes.SHORT_ROWS ? estimate(whole) : some;
                yield some <= TableSizes.SHORT_ROWS
                        ? new Total(some, true)
                        : new Total(expected < 0 ? expected : Math.max(some, expected), false);
            }
        };
    }

    private long estimate(Plan whole) {
        try {
            return engine.estimate(whole.table(), whole.filter()).orElse(-1);
        } catch (QueryException e) {
            throw Problems.told(e);
        }
    }

    private static HttpException notSatisfiable(String problem, String hint, String contentRange) {
        return Problems.of(416, "bad_range", "Requested range not satisfiable", problem, hint)
                .header("Content-Range", contentRange);
    }

    private void oneObject(Plan plan, String name) throws IOException {
        long rows = count(plan.limit(2));
        if (rows != 1) {
            throw Problems.of(
                    406,
                    "not_one_row",
                    "Cannot coerce the result to a single JSON object",
                    "The result contains " + (rows == 0 ? "0 rows" : "several rows"),
                    "narrow the filter, or accept application/json");
        }
        preferences.announce(exchange, false);
        String accept = String.join(",", exchange.headers("Accept"));
        boolean withoutNulls = Negotiation.isWithoutNulls(accept.split(",", 2)[0]);
        write(new OneObject(withoutNulls), plan.limit(1), name);
    }

    /** A row as a JSON object by itself. */
    private record OneObject(boolean withoutNullMembers) implements RowFormat {
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
            RowFormat line = RowFormat.NDJSON;
            (withoutNullMembers ? RowFormat.withoutNulls(line).orElse(line) : line)
                    .write(rows, out);
        }
    }

    private long count(Plan plan) {
        try (Cursor cursor = engine.open(plan.count())) {
            exchange.onDisconnect(cursor::cancel);
            return cursor.next() ? cursor.getLong(0) : 0;
        } catch (QueryException e) {
            throw Problems.told(e);
        }
    }
}
