package dev.penstock.http.response;

import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Status;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response as its head describes it: status, headers and length, with the hints before and the trailers behind. All
 * of that may be changed until the head is sent.
 */
abstract class DescribedResponse {
    /** How many times a client may be told what the response will need. */
    private static final int MOST_HINTS = 8;

    /** How many informational responses are sent before a head. */
    static final int MOST_INFORMED = 1_000;

    private static final int MOST_INTERIM_CHARACTERS = 8 * 1024;

    final ResponseTransport transport;
    final ResponseHeaders fields = new ResponseHeaders();

    /** Of the body, in bytes; -1 where it is not known. */
    long knownLength = -1;

    @Nullable Trailers trailers;

    int status = 200;

    /** Whether the head is decided, and may have been sent. */
    boolean committed;

    /** Whether it has a body. */
    private boolean started;

    /** Whether its status was set. */
    private boolean answered;

    private int hints;
    private int informed;

    DescribedResponse(ResponseTransport transport) {
        this.transport = transport;
    }

    public final void status(int status) {
        checkUncommitted("its status");
        this.status = Status.check(status);
        answered = true;
    }

    public final void header(String name, String value) {
        checkUncommitted("header " + name);
        if (name.equalsIgnoreCase("content-length")) {
            knownLength = length(value);
        } else {
            fields.set(name, value);
        }
    }

    /** Adds a header beside others of its name. */
    public final void addHeader(String name, String value) {
        checkUncommitted("header " + name);
        fields.add(name, value);
    }

    /** Adds a trailer that the client takes. */
    public final void trailer(String name, Supplier<@Nullable String> value) {
        checkUncommitted("trailer " + name);
        Trailers known = trailers == null ? new Trailers() : trailers;
        known.add(name, value);
        trailers = known;
    }

    /** Tells the client at once of what it will need. */
    public final void earlyHints(List<String> links) {
        checkUncommitted("early hints");
        checkInterim("Early hints", links);
        ResponseHeaders told = new ResponseHeaders();
        links.forEach(link -> told.add("Link", link));
        if (++hints > MOST_HINTS) {
            throw new IllegalStateException(
                    "Early hints can be sent %d times at the most; send several links at once"
                            .formatted(MOST_HINTS));
        }
        if (!links.isEmpty()) {
            transport.interim(103, told, false);
        }
    }

    /** Sends a head before that of the response, with headers as names and values in turn. */
    public final void inform(int status, List<String> pairs) {
        if (status < 102 || status > 199) {
            throw new IllegalArgumentException(
                    "Status " + status + " can't come before a response: one from 102 to 199 can");
        }
        checkUncommitted("status " + status);
        if (pairs.size() % 2 != 0) {
            throw new IllegalArgumentException(
                    "Header " + pairs.getLast() + " has no value: give names and values in turn");
        }
        checkInterim("An informational response", pairs);
        ResponseHeaders told = new ResponseHeaders();
        for (int i = 0; i < pairs.size(); i += 2) {
            told.add(pairs.get(i), pairs.get(i + 1));
        }
        if (informed < MOST_INFORMED) {
            informed++;
            transport.interim(status, told, true);
        }
    }

    private static void checkInterim(String what, List<String> texts) {
        if (texts.stream().mapToInt(String::length).sum() > MOST_INTERIM_CHARACTERS) {
            throw new IllegalArgumentException(
                    "%s can have %d characters at the most"
                            .formatted(what, MOST_INTERIM_CHARACTERS));
        }
    }

    /** Returns whether the status was set or the body begun: whoever did that has answered. */
    public final boolean isAnswered() {
        return answered || started;
    }

    private static long length(String value) {
        try {
            long length = Long.parseLong(value);
            if (length >= 0) {
                return length;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new IllegalArgumentException("Content-Length must be a whole number of bytes");
    }

    private void checkUncommitted(String what) {
        if (committed) {
            throw new IllegalStateException(
                    "The head of the response has been sent: too late for " + what);
        }
    }

    public final int status() {
        return status;
    }

    /** Those that were set so far. */
    public final ResponseHeaders headers() {
        return fields;
    }

    public final ResponseTransport transport() {
        return transport;
    }

    public final boolean committed() {
        return committed;
    }

    /** It has a body of this type. */
    final void describeBody(String mediaType) {
        if (started) {
            throw new IllegalStateException("The response has a body already");
        }
        fields.set("Content-Type", mediaType);
        started = true;
    }

    /**
     * Announces the trailers.
     *
     * @param possible whether they can follow
     * @return whether they do
     */
    final boolean announceTrailers(boolean possible) {
        Trailers known = possible ? trailers : null;
        trailers = known;
        if (known == null) {
            return false;
        }
        fields.announceTrailers(known.announcement());
        transport.trailers(known);
        return true;
    }

    /** Drops what was said of the body, its status and its trailers. */
    final void forgetBody() {
        fields.removeRepresentation();
        trailers = null;
        status = 200;
        answered = false;
        started = false;
        knownLength = -1;
    }
}
