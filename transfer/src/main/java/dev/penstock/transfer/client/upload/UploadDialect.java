package dev.penstock.transfer.client.upload;

import dev.penstock.transfer.client.http.Answer;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.OptionalLong;

/** A protocol of resumable uploads as one server speaks it. Immutable. */
public sealed interface UploadDialect permits TusDialect, DraftDialect {
    /**
     * A description of the bytes that are sent.
     *
     * @param length of the whole in bytes, if it is known
     */
    record Described(OptionalLong length, Optional<String> fileName, Optional<String> mediaType) {}

    /**
     * The state of an upload on its server.
     *
     * @param offset the number of bytes
     * @param isComplete whether the server takes it for whole
     */
    record ServerState(long offset, boolean isComplete) {}

    /** Returns whether an upload may be created whose length is said later. */
    boolean takesUnknownLength();

    /** The most bytes that one request may append. */
    long maxAppendBytes();

    /** The most bytes that an upload may have, where the server says. */
    OptionalLong maxBytes();

    /** Completes the request that creates an upload, a {@code POST} without a body. */
    void create(HttpRequest.Builder request, Described what);

    /** Completes the request that asks for the state, a {@code HEAD}. */
    void ask(HttpRequest.Builder request);

    /**
     * Reads the state in an answer.
     *
     * @param length that was said when the upload was created
     * @return nothing where the answer says none
     */
    Optional<ServerState> state(Answer answer, OptionalLong length);

    /** Completes a request that appends at an offset, a {@code PATCH}. */
    void append(HttpRequest.Builder request, long offset);

    /**
     * Returns whether a request without a body ends the upload when all bytes are there.
     *
     * @param isLengthKnown whether the length was said when it was created
     */
    boolean isFinishedApart(boolean isLengthKnown);

    /**
     * Completes the request that ends the upload, a {@code PATCH} without a body.
     *
     * @param length of the whole
     * @param sha256 of the whole, which the server compares
     */
    void finish(HttpRequest.Builder request, long length, Optional<byte[]> sha256);

    /** Returns whether {@link #finish} takes a digest of the whole, for the server to compare. */
    boolean takesDigest();

    /**
     * Returns whether the server tells its progress by informational responses, of which the JDK's client takes only a
     * few.
     */
    boolean tellsProgress();

    /** The dialect in one line, for {@link #read}. */
    String written();

    /** Reads what {@link #written} gave. */
    static Optional<UploadDialect> read(String line) {
        String[] words = line.split(" ", -1);
        try {
            if (words.length == 4 && words[0].equals("tus")) {
                return Optional.of(
                        new TusDialect(Boolean.parseBoolean(words[1]), number(words[2])));
            }
            if (words.length == 4 && words[0].equals("draft")) {
                return Optional.of(
                        new DraftDialect(
                                Integer.parseInt(words[1]),
                                number(words[2]),
                                Long.parseLong(words[3])));
            }
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static OptionalLong number(String word) {
        return word.equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(word));
    }

    /** Finds the dialects that a server announces in its answer to {@code OPTIONS}, the preferred one first. */
    static java.util.List<UploadDialect> announced(Answer options) {
        java.util.List<UploadDialect> found = new java.util.ArrayList<>();
        if (options.isSuccess()) {
            TusDialect.announced(options).ifPresent(found::add);
            DraftDialect.announced(options).ifPresent(found::add);
        }
        return found;
    }
}
