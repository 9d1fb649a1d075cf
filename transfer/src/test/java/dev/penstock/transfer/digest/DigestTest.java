package dev.penstock.transfer.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Digests of bytes in pieces, beside those of the JDK of the whole. */
final class DigestTest {
    private static final int[] LENGTHS = {
        0, 1, 63, 64, 65, 16_383, 16_384, 32_769, 65_535, 65_536, 65_537, 524_289
    };

    private static byte[] ofTheJdk(DigestAlgorithm algorithm, byte[] bytes) throws Exception {
        if (algorithm == DigestAlgorithm.CRC32C) {
            CRC32C checksum = new CRC32C();
            checksum.update(bytes);
            return ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
        }
        String name =
                Map.of(
                                DigestAlgorithm.SHA1, "SHA-1",
                                DigestAlgorithm.SHA256, "SHA-256",
                                DigestAlgorithm.SHA512, "SHA-512")
                        .get(algorithm);
        return MessageDigest.getInstance(name).digest(bytes);
    }

    @ParameterizedTest
    @EnumSource(DigestAlgorithm.class)
    void value_ofBytesInPieces_isThatOfTheWhole(DigestAlgorithm algorithm) throws Exception {
        Random random = new Random(7);
        Digest digest = algorithm.start();
        for (int length : LENGTHS) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            ByteBuffer direct = ByteBuffer.allocateDirect(length).put(bytes).flip();
            for (int at = 0; at < length; ) {
                int step = Math.min(1 + random.nextInt(70_000), length - at);
                ByteBuffer piece = random.nextBoolean() ? direct : ByteBuffer.wrap(bytes);
                piece = piece.slice(at, step);
                digest.update(piece);
                assertThat(piece.hasRemaining()).isFalse();
                at += step;
            }
            // The digest begins anew with each length.
            assertThat(digest.value())
                    .as("%d bytes", length)
                    .hasSize(algorithm.length())
                    .isEqualTo(ofTheJdk(algorithm, bytes));
        }
    }

    @Test
    void value_ofCrc32c_hasItsMostSignificantByteFirst() {
        Digest digest = DigestAlgorithm.CRC32C.start();
        digest.update(ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII)));
        assertThat(HexFormat.of().formatHex(digest.value())).isEqualTo("e3069283");
    }

    @Test
    void names_leadToTheirAlgorithm() {
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            assertThat(DigestAlgorithm.ofTusName(algorithm.tusName())).contains(algorithm);
            assertThat(DigestAlgorithm.ofFieldName(algorithm.fieldName())).contains(algorithm);
            assertThat(algorithm.start().algorithm()).isEqualTo(algorithm);
        }
        assertThat(DigestAlgorithm.ofTusName("md5")).isEmpty();
        assertThat(DigestAlgorithm.ofFieldName("SHA-256")).isEmpty();
    }

    @Test
    void matches_onlyTheSameBytes() {
        ExpectedDigest expected =
                ExpectedDigest.of(DigestAlgorithm.CRC32C, new byte[] {1, 2, 3, 4});
        assertThat(expected.matches(new byte[] {1, 2, 3, 4})).isTrue();
        assertThat(expected.matches(new byte[] {1, 2, 3, 5})).isFalse();
        assertThat(expected.matches(new byte[] {1, 2, 3})).isFalse();
        assertThat(expected)
                .isEqualTo(ExpectedDigest.of(DigestAlgorithm.CRC32C, new byte[] {1, 2, 3, 4}))
                .isNotEqualTo(ExpectedDigest.of(DigestAlgorithm.CRC32C, new byte[4]));
    }
}
