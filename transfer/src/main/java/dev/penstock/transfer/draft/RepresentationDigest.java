package dev.penstock.transfer.draft;

import dev.penstock.http.Exchange;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.digest.DigestField;
import dev.penstock.transfer.digest.ExpectedDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The digest of an upload as a whole (RFC 9530), over however many requests its bytes come. What the client says when
 * it creates the upload is kept with it, so that it holds after a restart too.
 */
public final class RepresentationDigest {
    private static final int BUFFER_BYTES = 64 * 1024;

    private RepresentationDigest() {}

    /**
     * Makes hooks that look at the digest before the application's own do: an upload that was created with {@code
     * Repr-Digest}, and does not have it in the end, is refused with {@code DIGEST_MISMATCH}. Its file is read once
     * more for that.
     */
    public static UploadHooks checkedBefore(UploadHooks hooks) {
        return new UploadHooks() {
            @Override
            public void accept(Upload upload) throws IOException {
                hooks.accept(upload);
            }

            @Override
            public void scan(Upload upload, Path file) throws IOException {
                check(upload, file);
                hooks.scan(upload, file);
            }

            @Override
            public void finished(Upload upload, Path file) throws IOException {
                hooks.finished(upload, file);
            }
        };
    }

    private static void check(Upload upload, Path file) throws IOException {
        Optional<ExpectedDigest> expected = expected(upload.facts());
        if (expected.isEmpty()) {
            return;
        }
        try (FileChannel bytes = FileChannel.open(file)) {
            if (!expected.get().matches(of(expected.get().algorithm(), bytes))) {
                throw new TransferException(
                        Kind.DIGEST_MISMATCH,
                        "The upload of %d bytes does not have the %s that %s said; send all of it again"
                                .formatted(
                                        bytes.size(),
                                        expected.get().algorithm().fieldName(),
                                        DigestField.REPRESENTATION));
            }
        }
    }

    private static Optional<ExpectedDigest> expected(Map<String, String> facts) {
        return Optional.ofNullable(facts.get(DigestField.REPRESENTATION))
                .flatMap(
                        value -> DigestField.strongest(DigestField.REPRESENTATION, List.of(value)));
    }

    /**
     * Reads what a request that creates an upload says of its digest, to be kept with the upload.
     *
     * @throws TransferException (INVALID) if it is malformed
     */
    static Map<String, String> facts(Exchange exchange) {
        Map<String, String> facts = new HashMap<>();
        DigestField.strongest(
                        DigestField.REPRESENTATION, exchange.headers(DigestField.REPRESENTATION))
                .ifPresent(digest ->
                        facts.put(
                                DigestField.REPRESENTATION,
                                DigestField.format(digest.algorithm(), digest.value().get())));
        DigestField.wanted(
                        DigestField.WANTED_REPRESENTATION,
                        exchange.headers(DigestField.WANTED_REPRESENTATION))
                .stream()
                .findFirst()
                .ifPresent(algorithm ->
                        facts.put(DigestField.WANTED_REPRESENTATION, algorithm.fieldName()));
        return facts;
    }

    /** The digest that the client of an upload wants to be told. */
    static Optional<DigestAlgorithm> wanted(Map<String, String> facts) {
        return Optional.ofNullable(facts.get(DigestField.WANTED_REPRESENTATION))
                .flatMap(DigestAlgorithm::ofFieldName);
    }

    /** Reads a file from its beginning to its end. */
    static byte[] of(DigestAlgorithm algorithm, FileChannel bytes) throws IOException {
        Digest digest = algorithm.start();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        for (long at = 0; ; ) {
            int read = bytes.read(buffer.clear(), at);
            if (read < 0) {
                return digest.value();
            }
            at += read;
            digest.update(buffer.flip());
        }
    }
}
