package dev.penstock.transfer.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.digest.DigestField;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Digests of contents and of whole uploads. */
final class DraftDigestIT extends DraftFixture {
    private static final DraftVersion VERSION = DraftVersion.V8;

    private static String digest(DigestAlgorithm algorithm, byte[] bytes) {
        Digest digest = algorithm.start();
        digest.update(ByteBuffer.wrap(bytes));
        return DigestField.format(algorithm, digest.value());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void contentDigest_thatIsRight_appends(Protocol protocol) throws Exception {
        Server server = serve();
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            Reply reply =
                    send(
                            protocol,
                            server,
                            "POST",
                            "/uploads",
                            bytes(70_000),
                            headers(
                                    VERSION,
                                    true,
                                    "Content-Digest",
                                    "unknown=1, " + digest(algorithm, bytes(70_000))));
            assertThat(reply.status()).as("%s", algorithm).isEqualTo(201);
        }
        assertThat(files()).hasSize(DigestAlgorithm.values().length);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void contentDigest_thatIsWrong_appendsNothing(Protocol protocol) throws Exception {
        Server server = serve();
        String location = created(protocol, server, VERSION, bytes(10));
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            Reply reply =
                    send(
                            protocol,
                            server,
                            "PATCH",
                            location,
                            bytes(300_000),
                            appending(
                                    VERSION,
                                    true,
                                    10,
                                    "Content-Digest",
                                    digest(algorithm, bytes(300_001))));
            assertThat(reply.status()).as("%s", algorithm).isEqualTo(400);
            assertThat(reply.text()).contains("#digest-mismatching-values");
            assertThat(reply.header("Upload-Offset")).contains("10");
            assertThat(reply.header("Upload-Complete")).contains("?0");
        }
        assertThat(offset(protocol, server, VERSION, location)).isEqualTo(10);
        Reply malformed =
                send(
                        protocol,
                        server,
                        "PATCH",
                        location,
                        bytes(1),
                        appending(VERSION, true, 10, "Content-Digest", "sha-256=:AAAA:"));
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.text()).contains("Content-Digest has 3 bytes for sha-256");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void reprDigest_overSeveralRequests_isCheckedAtTheEnd(Protocol protocol) throws Exception {
        Server server = serve();
        byte[] bytes = bytes(200_000);
        for (boolean right : new boolean[] {true, false}) {
            String location =
                    created(
                            protocol,
                            server,
                            VERSION,
                            Arrays.copyOf(bytes, 150_000),
                            "Repr-Digest",
                            digest(DigestAlgorithm.SHA256, right ? bytes : bytes(199_999)));
            Reply reply =
                    send(
                            protocol,
                            server,
                            "PATCH",
                            location,
                            Arrays.copyOfRange(bytes, 150_000, 200_000),
                            appending(VERSION, true, 150_000));
            if (right) {
                assertThat(reply.status()).isEqualTo(201);
            } else {
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.text())
                        .contains("#digest-mismatching-values", "200000 bytes", "Repr-Digest");
                assertThat(reply.header("Upload-Complete")).contains("?1");
                assertThat(ask(protocol, server, "HEAD", location, asking(VERSION)).status())
                        .isIn(404, 410);
            }
        }
        assertThat(onlyFile()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void wantReprDigest_isAnsweredWhenTheUploadIsComplete(Protocol protocol) throws Exception {
        Server server = serve();
        Reply reply =
                send(
                        protocol,
                        server,
                        "POST",
                        "/uploads",
                        bytes(100_000),
                        headers(VERSION, true, "Want-Repr-Digest", "sha-512=3, sha-256=9, md5=10"));
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("Repr-Digest"))
                .contains(digest(DigestAlgorithm.SHA256, bytes(100_000)));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void scan_thatRejects_isTheAnswerOfTheLastRequest(Protocol protocol) throws Exception {
        Server server =
                serve(
                        new UploadHooks() {
                            @Override
                            public void scan(Upload upload, Path file) {
                                throw new TransferException(
                                        TransferException.Kind.REJECTED, "No pictures of cats");
                            }
                        });
        Reply reply = send(protocol, server, "POST", "/uploads", bytes(10), headers(VERSION, true));
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.header("Upload-Complete")).contains("?1");
        assertThat(reply.text()).contains("No pictures of cats");
        assertThat(files()).isEmpty();
    }
}
