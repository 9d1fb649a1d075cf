package dev.penstock.gateway.request;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A reader of bodies that are forms: queries too long for a URL. A form is at most {@value #MAX_BYTES} bytes. What a
 * query of that size takes in heap is some twenty times as much, so all forms that are answered at once share a budget
 * of bytes, a 32nd of the heap or one whole form; further ones wait for it, up to ten seconds. Thread-safe.
 */
public final class FormReader {
    /** The most bytes of a form. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int WAIT_SECONDS = 10;
    private static final int CHUNK = 8 * 1024;

    private final Semaphore bytes =
            new Semaphore(
                    Math.clamp(Runtime.getRuntime().maxMemory() / 32, MAX_BYTES, Integer.MAX_VALUE),
                    true);

    /** Answers a request by its form. */
    public interface Answering {
        public void answer(Exchange form) throws IOException;
    }

    /**
     * Reads the form of a request and has it answered.
     *
     * @throws HttpException if it is no form (415), too long (413), not ASCII (400), or too many are answered at once
     *     (503)
     */
    public void answer(Exchange exchange, Answering answering) throws IOException {
        requireForm(exchange);
        byte[] form = read(exchange);
        int held = Math.max(1, form.length);
        if (!acquire(held)) {
            throw Problems.of(
                            503,
                            "unavailable",
                            "too many long queries are being answered",
                            null,
                            "try again later")
                    .header("Retry-After", "2");
        }
        try {
            answering.answer(new FormExchange(exchange, text(form)));
        } finally {
            bytes.release(held);
        }
    }

    private boolean acquire(int held) {
        try {
            return bytes.tryAcquire(held, WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void requireForm(Exchange exchange) {
        String type = exchange.header("Content-Type").orElse("");
        int parameters = type.indexOf(';');
        String bare = (parameters < 0 ? type : type.substring(0, parameters)).strip();
        if (!bare.toLowerCase(Locale.ROOT).equals("application/x-www-form-urlencoded")) {
            throw Problems.of(
                    415,
                    "not_a_form",
                    "a POST to a table is a query whose parameters are in its body, and \""
                            + ParameterText.shown(type)
                            + "\" is no form",
                    null,
                    "send application/x-www-form-urlencoded; rows can be read here and not written");
        }
    }

    private static byte[] read(Exchange exchange) throws IOException {
        Optional<String> length = exchange.header("Content-Length");
        if (length.isPresent() && length.get().length() > 9) {
            throw tooLarge();
        }
        if (length.isPresent() && Integer.parseInt(length.get()) > MAX_BYTES) {
            throw tooLarge();
        }
        ByteArrayOutputStream form = new ByteArrayOutputStream(CHUNK);
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        ReadableByteChannel body = exchange.requestBody();
        while (body.read(chunk) >= 0) {
            form.write(chunk.array(), 0, chunk.position());
            chunk.clear();
            if (form.size() > MAX_BYTES) {
                throw tooLarge();
            }
        }
        return form.toByteArray();
    }

    private static HttpException tooLarge() {
        return Problems.of(
                413,
                "too_large",
                "the form has more than " + MAX_BYTES + " bytes",
                null,
                "ask for fewer keys at a time");
    }

    private static String text(byte[] form) {
        try {
            return US_ASCII.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(form))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problems.of(
                    400,
                    "bad_form",
                    "the form has bytes that are no ASCII",
                    null,
                    "percent-encode them, as in a URL");
        }
    }
}
