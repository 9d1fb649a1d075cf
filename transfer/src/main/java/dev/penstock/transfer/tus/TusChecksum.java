package dev.penstock.transfer.tus;

import dev.penstock.http.Exchange;
import dev.penstock.transfer.digest.ExpectedDigest;
import dev.penstock.transfer.digest.UploadChecksum;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checksum of a request's body, if it has one: from {@code Upload-Checksum}, or from the trailer of that name,
 * which the request announces. For one request.
 */
final class TusChecksum {
    private final @Nullable ExpectedDigest told;
    private final @Nullable TrailingChecksum trailing;

    private TusChecksum(@Nullable ExpectedDigest told, @Nullable TrailingChecksum trailing) {
        this.told = told;
        this.trailing = trailing;
    }

    /**
     * The checksum of a request.
     *
     * @throws dev.penstock.transfer.TransferException (INVALID) if it is malformed, or of an algorithm that is not
     *     known
     */
    static TusChecksum of(Exchange exchange) {
        Optional<String> told = TusHeaders.single(exchange, TusHeaders.CHECKSUM);
        if (told.isPresent()) {
            return new TusChecksum(UploadChecksum.parse(told.get()), null);
        }
        boolean announced =
                exchange.headers("Trailer").stream()
                        .flatMap(names -> Arrays.stream(names.split(",", -1)))
                        .anyMatch(name -> name.strip().equalsIgnoreCase(TusHeaders.CHECKSUM));
        return new TusChecksum(null, announced ? new TrailingChecksum(exchange) : null);
    }

    /** The bytes as the store is to read them. */
    ReadableByteChannel watch(ReadableByteChannel body) {
        return trailing == null ? body : trailing.watch(body);
    }

    /** What the store is to check. */
    Optional<ExpectedDigest> expected() {
        return trailing == null ? Optional.ofNullable(told) : Optional.of(trailing.expected());
    }
}
