package dev.penstock.transfer.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.TestClient;
import dev.penstock.transfer.upload.UploadFixture;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The extensions checksum and checksum-trailer of tus 1.0.0. */
final class TusChecksumConformanceTest extends UploadFixture {
    private static final String[] ALGORITHMS = {"sha1", "sha256", "crc32c"};

    private static String checksum(String algorithm, byte[] bytes) throws Exception {
        byte[] value =
                switch (algorithm) {
                    case "sha1" -> MessageDigest.getInstance("SHA-1").digest(bytes);
                    case "sha256" -> MessageDigest.getInstance("SHA-256").digest(bytes);
                    default -> {
                        CRC32C crc = new CRC32C();
                        crc.update(bytes);
                        yield ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
                    }
                };
        return algorithm + " " + Base64.getEncoder().encodeToString(value);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void checksum_thatMatches_is204(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(70_000);
        for (String algorithm : ALGORITHMS) {
            String path = client.create(all.length);
            byte[] first = slice(all, 0, 30_000);
            byte[] second = slice(all, 30_000, all.length);
            assertThat(client.patch(path, 0, first, "Upload-Checksum", checksum(algorithm, first)))
                    .returns(204, Reply::status);
            Reply last =
                    client.patch(
                            path, 30_000, second, "Upload-Checksum", checksum(algorithm, second));
            assertThat(last.status()).as(algorithm).isEqualTo(204);
            assertThat(client.send("GET", path).body()).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void checksum_thatDiffers_is460AndDiscardsTheChunk(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(70_000);
        for (String algorithm : ALGORITHMS) {
            String path = client.create(all.length);
            client.patch(path, 0, slice(all, 0, 5));
            Reply refused =
                    client.patch(
                            path,
                            5,
                            slice(all, 5, all.length),
                            "Upload-Checksum",
                            checksum(algorithm, all));
            assertThat(refused.status()).as(algorithm).isEqualTo(460);
            assertThat(client.offset(path)).isEqualTo(5);
            assertThat(client.patch(path, 5, slice(all, 5, all.length)).status()).isEqualTo(204);
            assertThat(client.send("GET", path).body()).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void checksum_malformedOrUnknown_is400AndReadsNothing(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(5);
        for (String value :
                new String[] {
                    "md5 1B2M2Y8AsgTpgAmY7PhCfg==",
                    "SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
                    "sha1",
                    "sha1 %%%%",
                    "sha1 Kq5s",
                    "crc32c Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
                }) {
            assertThat(client.patch(path, 0, bytes(5), "Upload-Checksum", value).status())
                    .as(value)
                    .isEqualTo(400);
        }
        assertThat(client.offset(path)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void checksum_ofACreationWithUpload_isVerified(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(1_000);
        String[] headers = {
            "Tus-Resumable", "1.0.0", "Upload-Length", "1000", "Content-Type", OFFSET_STREAM
        };
        Reply made =
                client.send(
                        "POST", BASE, all, with(headers, "Upload-Checksum", checksum("sha1", all)));
        assertThat(made.status()).isEqualTo(201);
        Reply refused =
                client.send(
                        "POST",
                        BASE,
                        all,
                        with(headers, "Upload-Checksum", checksum("sha1", bytes(999))));
        assertThat(refused.status()).isEqualTo(460);
        assertThat(files()).hasSize(1);
    }

    private Reply trailing(Client client, String path, byte[] body, String... trailers)
            throws Exception {
        try (TestClient raw = client.protocol().connect(client.port())) {
            return raw.begin(
                            "PATCH",
                            path,
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            "0",
                            "Trailer",
                            "Upload-Checksum")
                    .part(body)
                    .end(trailers)
                    .reply();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void checksumTrailer_isVerified(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(70_000);
        for (String algorithm : ALGORITHMS) {
            String path = client.create(all.length);
            Reply refused =
                    trailing(client, path, all, "Upload-Checksum", checksum(algorithm, bytes(9)));
            assertThat(refused.status()).as(algorithm).isEqualTo(460);
            assertThat(client.offset(path)).isZero();
            Reply taken = trailing(client, path, all, "Upload-Checksum", checksum(algorithm, all));
            assertThat(taken.status()).as(algorithm).isEqualTo(204);
            assertThat(client.send("GET", path).body()).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void checksumTrailer_missingOrMalformed_is400AndDiscardsTheChunk(Protocol protocol)
            throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(5_000);
        String path = client.create(all.length);
        assertThat(trailing(client, path, all).status()).isEqualTo(400);
        assertThat(trailing(client, path, all, "Upload-Checksum", "md5 AAAA").status())
                .isEqualTo(400);
        assertThat(client.offset(path)).isZero();
        assertThat(trailing(client, path, all, "Upload-Checksum", checksum("sha1", all)).status())
                .isEqualTo(204);
    }
}
