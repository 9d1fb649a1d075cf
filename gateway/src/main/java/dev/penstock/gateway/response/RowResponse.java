package dev.penstock.gateway.response;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rows as the response to a request; what fails before the first byte becomes an error response. */
public final class RowResponse {
    private RowResponse() {}

    /**
     * Streams the rows of the cursor that {@code rows} opens. If the client goes away, the query is cancelled. A HEAD
     * request gets the status and the headers of a GET; the query runs up to its first row.
     */
    public static void write(
            Exchange exchange,
            RowFormat format,
            Supplier<? extends Cursor> rows,
            @Nullable String name)
            throws IOException {
        boolean isPage = format.equals(RowFormat.HTML);
        RowFormat titled = isPage && name != null ? RowFormat.html(name) : format;
        try (Cursor cursor = rows.get()) {
            exchange.onDisconnect(cursor::cancel);
            headers(exchange, format, name);
            if (exchange.method().equals("HEAD")) {
                cursor.next();
                ResponseBody none = exchange.body(titled.mediaType());
                // Flushed, the head does not claim that the length of a GET would be 0.
                none.flush();
                none.close();
                return;
            }
            ResponseBody body = exchange.body(titled.mediaType());
            titled.write(cursor, body);
            body.close();
        } catch (QueryException e) {
            throw Problems.told(e);
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
    }

    private static void headers(Exchange exchange, RowFormat format, @Nullable String name) {
        exchange.header("Vary", "Accept").header("X-Content-Type-Options", "nosniff");
        if (format.equals(RowFormat.HTML)) {
            exchange.header(
                            "Content-Security-Policy",
                            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
                                    + " form-action 'none'; frame-ancestors 'none'")
                    .header("Referrer-Policy", "no-referrer");
        }
        if (format.equals(RowFormat.CSV) && name != null) {
            exchange.header(
                    "Content-Disposition",
                    "attachment; filename=\""
                            + name.replaceAll("[^A-Za-z0-9_.-]", "_")
                            + ".csv\"; filename*=UTF-8''"
                            + encoded(name)
                            + ".csv");
        }
    }

    /** A text as a part of a URL's path. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
