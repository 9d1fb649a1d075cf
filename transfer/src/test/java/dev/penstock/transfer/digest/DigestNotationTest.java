package dev.penstock.transfer.digest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The notations of digests: those of RFC 9530 and that of tus. */
final class DigestNotationTest {
    private static final String HELLO_SHA256 =
            "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";

    private static byte[] digest(DigestAlgorithm algorithm, String text) {
        Digest digest = algorithm.start();
        digest.update(ByteBuffer.wrap(text.getBytes(US_ASCII)));
        return digest.value();
    }

    @Test
    void strongest_ofTheExampleOfTheRfc_isRead() {
        byte[] expected = digest(DigestAlgorithm.SHA256, "{\"hello\": \"world\"}");
        assertThat(DigestField.strongest(DigestField.CONTENT, List.of(HELLO_SHA256)))
                .contains(ExpectedDigest.of(DigestAlgorithm.SHA256, expected));
        assertThat(DigestField.format(DigestAlgorithm.SHA256, expected)).isEqualTo(HELLO_SHA256);
    }

    @Test
    void strongest_ofSeveralLines_leavesOutWhatIsNotKnown() {
        List<String> lines =
                List.of(
                        "sha=:" + base64(20) + ":, md5=:AAAA:",
                        "blake3=7, " + HELLO_SHA256,
                        "crc32c=:" + base64(4) + ":");
        assertThat(DigestField.parse(DigestField.REPRESENTATION, lines))
                .containsOnlyKeys(
                        DigestAlgorithm.CRC32C, DigestAlgorithm.SHA1, DigestAlgorithm.SHA256);
        assertThat(
                        DigestField.strongest(DigestField.REPRESENTATION, lines)
                                .map(ExpectedDigest::algorithm))
                .contains(DigestAlgorithm.SHA256);
        assertThat(DigestField.strongest(DigestField.CONTENT, List.of("md5=:AAAA:"))).isEmpty();
        assertThat(DigestField.strongest(DigestField.CONTENT, List.of())).isEmpty();
    }

    private static String base64(int bytes) {
        return Base64.getEncoder().encodeToString(new byte[bytes]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sha-256=|Content-Digest is malformed: no value, at character 8",
                "sha-256=:AAAA:|Content-Digest has 3 bytes for sha-256, which has 32",
                "sha-256=1|Content-Digest has something else than bytes for sha-256",
                "sha-256|Content-Digest has something else than bytes for sha-256",
                "md5=:A:|Content-Digest is malformed: bytes that are not base64",
                "sha-256=:AAAA:,|Content-Digest is malformed: no member behind a comma"
            })
    void parse_ofWhatIsMalformed_saysHow(String header, String message) {
        assertThatExceptionOfType(TransferException.class)
                .isThrownBy(() -> DigestField.parse(DigestField.CONTENT, List.of(header)))
                .withMessageStartingWith(message)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.INVALID));
    }

    @Test
    void wanted_isInTheOrderOfItsPreferences() {
        assertThat(
                        DigestField.wanted(
                                DigestField.WANTED_CONTENT,
                                List.of("sha=3, md5=10, sha-512=0, crc32c=10", "sha-256=3")))
                .containsExactly(
                        DigestAlgorithm.CRC32C, DigestAlgorithm.SHA256, DigestAlgorithm.SHA1);
        assertThat(
                        DigestField.formatWanted(
                                List.of(DigestAlgorithm.SHA512, DigestAlgorithm.SHA256)))
                .isEqualTo("sha-512=10, sha-256=9");
        for (String wrong : List.of("sha-256=11", "sha-256=-1", "sha-256", "sha-256=1.5")) {
            assertThatExceptionOfType(TransferException.class)
                    .isThrownBy(
                            () -> DigestField.wanted(DigestField.WANTED_CONTENT, List.of(wrong)))
                    .withMessage("Want-Content-Digest has no preference from 0 to 10 for sha-256");
        }
    }

    @ParameterizedTest
    @EnumSource(DigestAlgorithm.class)
    void checksum_thatWasWritten_isReadAsItWas(DigestAlgorithm algorithm) {
        byte[] value = digest(algorithm, "hello world");
        ExpectedDigest read = UploadChecksum.parse(UploadChecksum.format(algorithm, value));
        assertThat(read.algorithm()).isEqualTo(algorithm);
        assertThat(read.matches(value)).isTrue();
    }

    @Test
    void checksum_ofTheExampleOfTus_isRead() {
        ExpectedDigest read = UploadChecksum.parse("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=");
        assertThat(read.matches(digest(DigestAlgorithm.SHA1, "hello world"))).isTrue();
        assertThat(UploadChecksum.ALGORITHMS).isEqualTo("sha512,sha256,sha1,crc32c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sha1|has no space",
                "sha1:AAAA|has no space",
                "md5 AAAA|not one of sha512,sha256,sha1,crc32c",
                "SHA1 AAAA|not one of",
                "sha1 A*==|not base64",
                "sha1 AAAA|has 3 bytes where sha1 has 20",
                "sha1  Kq5sNclPz7QV2+lfQIuc6R7oRu0=|not base64",
                "crc32c AAAAAAA=|has 5 bytes where crc32c has 4"
            })
    void checksum_thatIsMalformed_isRefused(String header, String message) {
        assertThatExceptionOfType(TransferException.class)
                .isThrownBy(() -> UploadChecksum.parse(header))
                .withMessageContaining(message)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.INVALID));
    }

    @Test
    void notationsAtRandom_areReadOrRefused() {
        for (int round = 0; round < 20_000; round++) {
            Random random = new Random(round);
            StringBuilder text =
                    new StringBuilder(
                            random.nextBoolean()
                                    ? HELLO_SHA256
                                    : "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=");
            for (int i = random.nextInt(3); i >= 0; i--) {
                text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(200));
            }
            String damaged = text.toString();
            refusedOrNot(() -> DigestField.parse(DigestField.CONTENT, List.of(damaged)));
            refusedOrNot(() -> DigestField.wanted(DigestField.WANTED_CONTENT, List.of(damaged)));
            refusedOrNot(() -> UploadChecksum.parse(damaged));
        }
    }

    private static void refusedOrNot(Runnable parse) {
        try {
            parse.run();
        } catch (TransferException refused) {
            assertThat(refused.kind()).isEqualTo(Kind.INVALID);
        }
    }
}
