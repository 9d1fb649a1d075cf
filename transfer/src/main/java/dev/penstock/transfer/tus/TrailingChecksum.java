package dev.penstock.transfer.tus;

import dev.penstock.http.Exchange;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.digest.ExpectedDigest;
import dev.penstock.transfer.digest.UploadChecksum;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A checksum that stands in a trailer, which names its algorithm only when the body has ended. So all of them are
 * computed while the bytes pass, and the store checks one on behalf of whichever the trailer names: it is given the
 * right CRC-32C where the trailer is right, and another where it is not.
 */
final class TrailingChecksum {
    private final Exchange exchange;
    private final List<Digest> digests =
            Arrays.stream(DigestAlgorithm.values()).map(DigestAlgorithm::start).toList();
    private @Nullable ReadableByteChannel body;

    TrailingChecksum(Exchange exchange) {
        this.exchange = exchange;
    }

    /** The bytes, which are looked at as they are read. */
    ReadableByteChannel watch(ReadableByteChannel bytes) {
        body = bytes;
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer to) throws IOException {
                int from = to.position();
                int count = bytes.read(to);
                if (count > 0) {
                    ByteBuffer read = to.slice(from, count);
                    digests.forEach(digest -> digest.update(read.duplicate()));
                }
                return count;
            }

            @Override
            public boolean isOpen() {
                return bytes.isOpen();
            }

            @Override
            public void close() throws IOException {
                bytes.close();
            }
        };
    }

    ExpectedDigest expected() {
        return new ExpectedDigest(DigestAlgorithm.CRC32C, this::value);
    }

    /** Called when all bytes have come. */
    private byte[] value() {
        ExpectedDigest told = told();
        byte[] crc = value(DigestAlgorithm.CRC32C);
        boolean isCrc = told.algorithm() == DigestAlgorithm.CRC32C;
        if (!told.matches(isCrc ? crc : value(told.algorithm()))) {
            crc[0] ^= 1;
        }
        return crc;
    }

    /** The digest of all bytes; to be asked for once. */
    private byte[] value(DigestAlgorithm algorithm) {
        return digests.stream()
                .filter(digest -> digest.algorithm() == algorithm)
                .findFirst()
                .orElseThrow()
                .value();
    }

    private ExpectedDigest told() {
        readToEnd();
        List<String> values = exchange.trailers(TusHeaders.CHECKSUM);
        if (values.size() != 1) {
            throw TusHeaders.invalid(
                    "The request announces one trailer Upload-Checksum, and has %d"
                            .formatted(values.size()));
        }
        return UploadChecksum.parse(values.getFirst().strip());
    }

    /** Trailers are there when the body was read to its end, which whoever knows its length need not do. */
    private void readToEnd() {
        try {
            if (body != null && body.read(ByteBuffer.allocate(1)) >= 0) {
                throw new TransferException(
                        TransferException.Kind.TOO_LARGE,
                        "The body has more bytes than the upload; it is discarded");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The client has gone before its checksum came", e);
        }
    }
}
