package dev.penstock.http.form;

import dev.penstock.http.Exchange;
import dev.penstock.http.MediaType;
import dev.penstock.http.server.ServerBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request with a body, and how {@link #routes} answer it, wherever they run.
 *
 * @param contentType null to send none
 * @param coding the {@code Content-Encoding}; empty for none
 * @param sent the body, a character for each byte
 * @param contains what stands in the response's body
 */
public record FormCase(
        String name,
        String path,
        @Nullable String contentType,
        String coding,
        String sent,
        int status,
        String contains) {
    /** Beyond it the server takes no body. */
    public static final int MAX_BODY = 600_000;

    static final int MAX_BYTES = 100_000;
    private static final MultipartLimits LIMITS =
            new MultipartLimits(20, 200_000, 400_000, 1_024, 100);

    @Override
    public String toString() {
        return name;
    }

    /** The body. */
    public byte[] body() {
        return sent.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** All of them. */
    public static List<FormCase> all() {
        return new FormCases().all();
    }

    /** What answers the cases. */
    public static ServerBuilder routes(ServerBuilder server) {
        return server.maxBody(MAX_BODY)
                .post(
                        "/form",
                        exchange -> {
                            String fields =
                                    Form.of(exchange, MAX_BYTES).fields().stream()
                                            .map(field -> field.name() + "=" + field.value())
                                            .collect(Collectors.joining(";"));
                            exchange.respond(200, "text/plain; charset=utf-8", fields);
                        })
                .post("/bytes", exchange -> answer(exchange, exchange.readBytes(MAX_BYTES).length))
                .post(
                        "/text",
                        exchange ->
                                exchange.respond(
                                        200,
                                        "text/plain; charset=utf-8",
                                        exchange.readText(MAX_BYTES)))
                .post(
                        "/stream",
                        exchange -> {
                            try (InputStream body = exchange.readStream(MAX_BYTES)) {
                                answer(exchange, body.readAllBytes().length);
                            }
                        })
                .post("/parts", FormCase::parts);
    }

    private static void answer(Exchange exchange, int length) {
        exchange.respond(200, "text/plain; charset=utf-8", length + " bytes");
    }

    private static void parts(Exchange exchange) throws IOException {
        StringBuilder all = new StringBuilder();
        Multipart.of(exchange, LIMITS)
                .forEach(part -> {
                    ByteArrayOutputStream content = new ByteArrayOutputStream();
                    part.transferTo(Channels.newChannel(content));
                    all.append(part.name())
                            .append('|')
                            .append(part.fileName().orElse("-"))
                            .append('|')
                            .append(part.contentType().map(MediaType::name).orElse("-"))
                            .append('|')
                            .append(content.size())
                            .append('|')
                            .append(Arrays.hashCode(content.toByteArray()))
                            .append(';');
                });
        exchange.respond(200, "text/plain; charset=utf-8", all.append("end").toString());
    }
}
