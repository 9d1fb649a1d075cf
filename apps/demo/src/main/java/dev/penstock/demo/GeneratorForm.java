package dev.penstock.demo;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A form of the generator's page.
 *
 * @param ofDemo whether it is for the demo's own database
 * @param jdbc the URL of another
 * @param user whom to connect as; may be empty
 * @param password the user's; may be empty
 * @param schema the schema; may be empty
 * @param packageName the package of the classes
 */
record GeneratorForm(
        boolean ofDemo,
        String jdbc,
        String user,
        String password,
        String schema,
        String packageName) {
    private static final int MAX_BYTES = 16 * 1024;

    /** Parameters of a URL may make a driver load classes, run statements or read files. */
    private static final Pattern PLAIN_URL =
            Pattern.compile(
                    "jdbc:(postgresql|mariadb|mysql)://[^/?;&#()@\\s]+/[^/?;&#()\\s]+"
                            + "|jdbc:h2:(file:|tcp://)?(~?/|[A-Za-z]:|\\./|[A-Za-z0-9])[^?;&#:]*");

    /** Returns the form as the page shows it first. */
    static GeneratorForm empty() {
        return new GeneratorForm(true, "", "", "", "", "com.example.demo");
    }

    /** Reads a form that was sent. */
    static GeneratorForm read(Exchange exchange) throws IOException {
        Map<String, String> values = values(body(exchange));
        return new GeneratorForm(
                !"url".equals(values.get("of")),
                values.getOrDefault("jdbc", ""),
                values.getOrDefault("user", ""),
                values.getOrDefault("password", ""),
                values.getOrDefault("schema", ""),
                values.getOrDefault("package", ""));
    }

    private static String body(Exchange exchange) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        ReadableByteChannel in = exchange.requestBody();
        while (in.read(buffer) >= 0) {
            body.write(buffer.array(), 0, buffer.position());
            buffer.clear();
            if (body.size() > MAX_BYTES) {
                throw new HttpException(413, "The form is longer than " + MAX_BYTES + " bytes");
            }
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, String> values(String body) {
        Map<String, String> values = new HashMap<>();
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                try {
                    values.put(
                            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8)
                                    .strip());
                } catch (IllegalArgumentException e) {
                    throw new HttpException(400, "The form is not encoded as forms are", e);
                }
            }
        }
        return values;
    }

    /**
     * Returns the database.
     *
     * @throws StartupException if the URL is none that the page takes
     */
    JdbcTarget target() {
        if (!PLAIN_URL.matcher(jdbc).matches()) {
            throw new StartupException(
                    "the page takes plain URLs alone, like jdbc:postgresql://localhost:5432/shop,"
                            + " jdbc:mariadb://localhost/shop or jdbc:h2:/path/shop: leave the parameters out, or use"
                            + " ./penstock generate");
        }
        return new JdbcTarget(jdbc, orNull(user), orNull(password), List.of());
    }

    /** Returns the schema's name; null for the connection's own. */
    @Nullable String schemaOrNull() {
        return orNull(schema);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
