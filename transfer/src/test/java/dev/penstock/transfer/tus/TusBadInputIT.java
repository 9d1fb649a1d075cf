package dev.penstock.transfer.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.upload.UploadFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of tus that lie or make no sense: each has its status, and leaves everything as it was. */
final class TusBadInputIT extends UploadFixture {
    private static final String[] NO_NUMBERS = {
        "-1", "-0", "+5", "5.0", "0x5", "5 5", "1e3", "five", "", "5,5", "\u00b2"
    };

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void length_thatIsNoNumber_is400(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        for (String length : NO_NUMBERS) {
            assertThat(client.tus("POST", BASE, "Upload-Length", length).status())
                    .as(length)
                    .isEqualTo(400);
        }
        Reply twice = client.tus("POST", BASE, "Upload-Length", "5", "Upload-Length", "5");
        assertThat(twice.status()).isEqualTo(400);
        assertThat(client.send("GET", BASE).text()).doesNotContain("\"id\"");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void offset_thatIsNoNumber_is400(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(5);
        for (String offset : NO_NUMBERS) {
            Reply refused =
                    client.send(
                            "PATCH",
                            path,
                            bytes(5),
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            offset);
            assertThat(refused.status()).as(offset).isEqualTo(400);
        }
        Reply missing =
                client.send(
                        "PATCH",
                        path,
                        bytes(5),
                        "Tus-Resumable",
                        "1.0.0",
                        "Content-Type",
                        OFFSET_STREAM);
        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.text()).contains("Upload-Offset");
        assertThat(client.offset(path)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void offset_beyondEverything_is409(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(5);
        for (String offset :
                new String[] {"9223372036854775807", "9223372036854775808", "9".repeat(50)}) {
            Reply refused =
                    client.send(
                            "PATCH",
                            path,
                            bytes(5),
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            offset);
            assertThat(refused.status()).as(offset).isEqualTo(409);
        }
        assertThat(client.offset(path)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void body_longerThanWhatIsLeft_is413(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(10);
        client.patch(path, 0, bytes(4));
        Reply told = client.patch(path, 4, bytes(7));
        assertThat(told.status()).isEqualTo(413);
        assertThat(client.offset(path)).isEqualTo(4);
        assertThat(client.patch(path, 4, bytes(6)).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void body_longerThanWhatIsLeftAndOfUnknownLength_is413AndNeverMore(Protocol protocol)
            throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(10);
        Reply refused =
                client.stream(
                        "PATCH",
                        path,
                        bytes(100_000),
                        "Tus-Resumable",
                        "1.0.0",
                        "Content-Type",
                        OFFSET_STREAM,
                        "Upload-Offset",
                        "0");
        assertThat(refused.status()).isEqualTo(413);
        assertThat(client.offset(path)).isLessThanOrEqualTo(10);
    }

    @Test
    void body_shorterThanItsLength_keepsWhatHasCome() throws Exception {
        Server server = serve();
        Client client = Client.of(Protocol.HTTP_1_1, server);
        String path = client.create(10);
        try (RawClient raw = new RawClient(server.port())) {
            raw.send(
                    ("PATCH %s HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nContent-Type: %s\r\n"
                                    + "Upload-Offset: 0\r\nContent-Length: 10\r\n\r\nabc")
                            .formatted(path, OFFSET_STREAM));
            await("bytes", () -> client.offset(path) == 3);
            raw.shutdownOutput();
            assertThat(raw.input().readAllBytes()).asString().doesNotContain(" 204 ");
        }
        assertThat(client.offset(path)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void metadata_malformed_is400(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        for (String metadata :
                new String[] {"filename !!!", "filename YQ", "a YQ==,a YQ==", ",", "a YQ==,"}) {
            assertThat(
                            client.tus(
                                            "POST",
                                            BASE,
                                            "Upload-Length",
                                            "1",
                                            "Upload-Metadata",
                                            metadata)
                                    .status())
                    .as(metadata)
                    .isEqualTo(400);
        }
        Reply large =
                client.tus(
                        "POST",
                        BASE,
                        "Upload-Length",
                        "1",
                        "Upload-Metadata",
                        "a " + "QUFB".repeat(2_500));
        assertThat(large.status()).isIn(400, 431);
        assertThat(client.send("GET", BASE).text()).doesNotContain("\"id\"");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void fileName_thatIsAPath_neverLeavesTheDirectory(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        // Nobody else has a file of that name.
        String outside = UUID.randomUUID().toString();
        for (String name :
                new String[] {
                    "../" + outside,
                    "..",
                    ".",
                    "/etc/" + outside,
                    "a/../../" + outside,
                    "..\\" + outside,
                    "C:\\" + outside,
                    "a\u0000b",
                    "a\nb",
                    "\u001b[2J",
                    ".uploads",
                    "a".repeat(300),
                    "\u202egnp.exe",
                }) {
            String metadata =
                    "filename "
                            + Base64.getEncoder()
                                    .encodeToString(name.getBytes(StandardCharsets.UTF_8));
            Reply reply =
                    client.tus("POST", BASE, "Upload-Length", "0", "Upload-Metadata", metadata);
            assertThat(reply.status()).as(name).isIn(201, 400);
        }
        assertThat(files())
                .allSatisfy(name ->
                        assertThat(name)
                                .doesNotContain("/", "\\", "\u0000", "\n", "\u001b")
                                .doesNotStartWith("."));
        assertThat(Files.exists(directory.resolveSibling(outside))).isFalse();
        assertThat(Files.exists(Path.of("/etc", outside))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void upload_ofAnotherOwner_isNotThere(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(5, "X-Owner", "ann");
        assertThat(client.tus("HEAD", path, "X-Owner", "bob").status()).isEqualTo(404);
        assertThat(client.tus("HEAD", path).status()).isEqualTo(404);
        assertThat(client.patch(path, 0, bytes(5), "X-Owner", "bob").status()).isEqualTo(404);
        assertThat(client.tus("DELETE", path, "X-Owner", "bob").status()).isEqualTo(404);
        assertThat(client.send("DELETE", path, "X-Owner", "bob").status()).isEqualTo(404);
        assertThat(client.send("GET", path, "X-Owner", "bob").status()).isEqualTo(404);
        assertThat(client.send("GET", BASE, "X-Owner", "bob").text()).doesNotContain("\"id\"");
        assertThat(client.offset(path, "X-Owner", "ann")).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void quota_reached_is413_andOthersMayGoOn(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.ownerQuota(100).quota(150)));
        client.create(60, "X-Owner", "ann");
        Reply refused = client.tus("POST", BASE, "Upload-Length", "41", "X-Owner", "ann");
        assertThat(refused.status()).isEqualTo(413);
        client.create(90, "X-Owner", "bob");
        assertThat(client.tus("POST", BASE, "Upload-Length", "1", "X-Owner", "eve").status())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void hooks_thatReject_are403WithTheirReason(Protocol protocol) throws Exception {
        UploadHooks hooks =
                new UploadHooks() {
                    @Override
                    public void accept(Upload upload) {
                        if (upload.metadata().containsKey("forbidden")) {
                            throw rejected("No such uploads here");
                        }
                    }

                    @Override
                    public void scan(Upload upload, Path file) throws java.io.IOException {
                        if (Files.size(file) == 13) {
                            throw rejected("Unlucky content");
                        }
                    }
                };
        Client client = Client.of(protocol, serve(settings -> settings.hooks(hooks)));
        Reply refused =
                client.tus("POST", BASE, "Upload-Length", "5", "Upload-Metadata", "forbidden");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).isEqualTo("No such uploads here\n");
        String path = client.create(13, "Upload-Metadata", "filename YQ==");
        Reply scanned = client.patch(path, 0, bytes(13));
        assertThat(scanned.status()).isEqualTo(403);
        assertThat(scanned.text()).isEqualTo("Unlucky content\n");
        assertThat(files()).isEmpty();
        assertThat(client.tus("HEAD", path).status()).isIn(404, 410);
    }

    private static TransferException rejected(String why) {
        return new TransferException(TransferException.Kind.REJECTED, why);
    }

    @Test
    void refusal_ofAClientThatTakesProblems_isOne() throws Exception {
        Client client = Client.of(Protocol.HTTP_1_1, serve());
        Reply refused = client.tus("POST", BASE, "Accept", "application/problem+json");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.header("Content-Type")).hasValue("application/problem+json");
        assertThat(refused.text()).contains("\"detail\":\"An upload needs Upload-Length");
        assertThat(refused.header("Tus-Resumable")).hasValue("1.0.0");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void method_thatThereIsNot_is405(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        assertThat(client.tus("DELETE", BASE).status()).isEqualTo(405);
        assertThat(client.tus("POST", BASE + "/x").status()).isEqualTo(405);
        Reply override = client.tus("POST", BASE, "X-HTTP-Method-Override", "PATCH");
        assertThat(override.status()).isEqualTo(405);
        assertThat(override.header("Allow")).hasValue("GET, HEAD, OPTIONS, POST");
    }
}
