package dev.penstock.http.json;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.JsonMapper;
import dev.penstock.http.MediaType;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Bodies of JSON, read and written by a mapper, neither of which is in memory as a whole. */
public final class JsonBody {
    private JsonBody() {}

    /**
     * Reads the body of a request.
     *
     * @throws HttpException as {@link Exchange#readJson} has it
     */
    public static <T> T read(Exchange exchange, JsonMapper mapper, Class<T> type, int maxBytes)
            throws IOException {
        check(exchange.contentType());
        Watched body = new Watched(exchange.readStream(maxBytes));
        try {
            return type.cast(mapper.read(body, type));
        } catch (IOException | RuntimeException e) {
            // A mapper may wrap what reading has thrown.
            body.throwFailure();
            if (e instanceof IllegalArgumentException) {
                String message = e.getMessage();
                throw new HttpException(400, message == null ? "The body is not JSON" : message, e);
            }
            throw e;
        }
    }

    private static void check(Optional<MediaType> type) {
        if (type.filter(MediaType::isJson).isEmpty()) {
            throw new HttpException(415, "This takes JSON, of the media type application/json")
                    .header("Accept", "application/json");
        }
        Charset charset;
        try {
            charset = type.flatMap(MediaType::charset).orElse(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new HttpException(415, String.valueOf(e.getMessage()), e);
        }
        if (!charset.equals(StandardCharsets.UTF_8) && !charset.equals(StandardCharsets.US_ASCII)) {
            throw new HttpException(
                    415,
                    "JSON is in UTF-8 (RFC 8259, section 8.1); this body is said to be in "
                            + charset.name());
        }
    }

    /** Writes the body of a response. */
    public static void write(Exchange exchange, JsonMapper mapper, int status, Object value)
            throws IOException {
        exchange.status(status);
        mapper.write(value, Channels.newOutputStream(exchange.body("application/json")));
    }

    /** A body that remembers why it could not be read on. */
    private static final class Watched extends FilterInputStream {
        private @Nullable Exception failure;

        Watched(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            try {
                return super.read(to, offset, length);
            } catch (IOException | RuntimeException e) {
                failure = e;
                throw e;
            }
        }

        /** Throws what reading has thrown, if it has. */
        void throwFailure() throws IOException {
            switch (failure) {
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case null, default -> {}
            }
        }
    }
}
