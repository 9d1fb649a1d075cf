package dev.penstock.transfer.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The creation of uploads, by what the texts of the draft say of it. */
final class DraftCreationIT extends DraftFixture {
    @ParameterizedTest
    @MethodSource("versions")
    void post_withAllBytes_tellsTheLocationAndCompletes(Protocol protocol, DraftVersion version)
            throws Exception {
        Server server = serve();
        byte[] bytes = bytes(100_000);
        try (TestClient client = protocol.connect(server.port())) {
            client.send("POST", "/uploads", bytes, headers(version, true));
            Reply told = client.head();
            assertThat(told.status()).isEqualTo(104);
            assertThat(told.header("Upload-Draft-Interop-Version"))
                    .contains(Integer.toString(version.number()));
            assertThat(told.header("Upload-Limit").isPresent()).isEqualTo(version.number() >= 6);
            String location = told.header("Location").orElseThrow();
            Reply reply = last(client);
            assertThat(reply.status()).isEqualTo(201);
            assertThat(reply.header("Location")).contains(location);
            assertThat(reply.header("Upload-Offset")).contains("100000");
            assertThat(reply.header(version.completeHeader()))
                    .contains(version == DraftVersion.V3 ? "?0" : "?1");
            assertThat(onlyFile()).isEqualTo(bytes);
            Reply state = ask(protocol, server, "HEAD", location, asking(version));
            assertThat(state.status()).isEqualTo(204);
            assertThat(state.header("Cache-Control")).contains("no-store");
            assertThat(state.header("Upload-Offset")).contains("100000");
            assertThat(state.header("Upload-Length")).contains("100000");
            assertThat(state.header(version.completeHeader()))
                    .contains(version == DraftVersion.V3 ? "?0" : "?1");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_withAPart_isToBeGoneOnWith(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            Reply reply =
                    send(
                            protocol,
                            server,
                            "POST",
                            "/uploads",
                            bytes(25),
                            headers(version, false, "Upload-Length", "100"));
            assertThat(reply.status()).isEqualTo(201);
            assertThat(reply.header("Location")).isPresent();
            assertThat(reply.header("Upload-Offset")).contains("25");
            assertThat(reply.header(version.completeHeader()))
                    .contains(version == DraftVersion.V3 ? "?1" : "?0");
            assertThat(reply.header("Upload-Limit").isPresent()).isEqualTo(version.number() >= 6);
            assertThat(files()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void put_withAName_isKeptUnderIt(Protocol protocol, DraftVersion version) throws Exception {
        Server server = serve();
        Reply reply =
                send(
                        protocol,
                        server,
                        "PUT",
                        "/uploads/a%20b.txt",
                        bytes(3),
                        headers(version, true));
        assertThat(reply.status()).isEqualTo(201);
        assertThat(directory.resolve("a b.txt")).hasBinaryContent(bytes(3));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_withoutBytes_isAnEmptyUploadOrTheBeginningOfOne(Protocol protocol) throws Exception {
        Server server = serve();
        String disposition = "inline; filename=\"x.txt\"; filename*=UTF-8''empty%20file.txt";
        Reply empty =
                send(
                        protocol,
                        server,
                        "POST",
                        "/uploads",
                        new byte[0],
                        headers(DraftVersion.V8, true, "Content-Disposition", disposition));
        assertThat(empty.status()).isEqualTo(201);
        assertThat(empty.header("Upload-Complete")).contains("?1");
        assertThat(directory.resolve("empty file.txt")).isEmptyFile();
        String location = created(protocol, server, DraftVersion.V8, new byte[0]);
        assertThat(offset(protocol, server, DraftVersion.V8, location)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_ofAnUnknownVersion_isNotTold104(Protocol protocol) throws Exception {
        Server server = serve();
        for (String version : new String[] {"2", "9", "x", "3.0"}) {
            String[] headers = {
                "Upload-Draft-Interop-Version", version, "Upload-Complete", "?1",
            };
            try (TestClient client = protocol.connect(server.port())) {
                client.send("POST", "/uploads", bytes(10), headers);
                Reply reply = client.reply();
                assertThat(reply.status()).as(version).isEqualTo(201);
                assertThat(reply.header("Upload-Draft-Interop-Version")).isEmpty();
                assertThat(reply.header("Upload-Complete")).contains("?1");
            }
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.send("POST", "/uploads", bytes(10), "Upload-Complete", "?0");
            assertThat(client.reply().status()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_thatDoesNotSayWhetherItIsComplete_isRefused(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String name = version.completeHeader();
            for (String[] headers :
                    new String[][] {
                        asking(version),
                        with(asking(version), name, "1"),
                        with(asking(version), name, "?1", name, "?1")
                    }) {
                Reply reply = send(protocol, server, "POST", "/uploads", bytes(10), headers);
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.text()).contains(name + " is missing");
            }
            assertThat(files()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_withLengthsThatDoNotAgree_isRefused(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            for (String[] headers :
                    new String[][] {
                        headers(version, true, "Upload-Length", "11"),
                        headers(version, true, "Upload-Length", "9"),
                        headers(version, false, "Upload-Length", "9")
                    }) {
                Reply reply = send(protocol, server, "POST", "/uploads", bytes(10), headers);
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.header("Content-Type")).contains("application/problem+json");
                assertThat(reply.text())
                        .contains(
                                "https://iana.org/assignments/http-problem-types#inconsistent-upload-length");
            }
            assertThat(files()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_withALengthThatIsNone_isRefused(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            for (String length :
                    List.of("-1", "9223372036854775808", "1000000000000000", "1.0", "?1", "ten")) {
                String[] headers = headers(version, false, "Upload-Length", length);
                Reply reply = send(protocol, server, "POST", "/uploads", bytes(10), headers);
                assertThat(reply.status()).as(length).isEqualTo(400);
                assertThat(reply.text())
                        .contains("Upload-Length must be the number of bytes of the whole");
            }
        }
        assertThat(files()).isEmpty();
        assertThat(directory.resolve(".uploads")).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_ofMoreThanMayBe_isRefusedWithTheLimit(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String[] headers =
                    headers(version, false, "Upload-Length", Long.toString(MOST_BYTES + 1));
            Reply reply = send(protocol, server, "POST", "/uploads", bytes(10), headers);
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.header("Upload-Limit").orElse("").contains("max-size=4194304"))
                    .isEqualTo(version.number() >= 6);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void interim_whereItIsOff_isNotSent(Protocol protocol) throws Exception {
        interim = false;
        nanosBetweenLooks.set(2_000_000_000);
        Server server = serve();
        try (TestClient client = protocol.connect(server.port())) {
            client.send("POST", "/uploads", bytes(600_000), headers(DraftVersion.V8, true));
            Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(201);
            assertThat(reply.header("Upload-Draft-Interop-Version")).contains("8");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_withAnOffset_isRefused(Protocol protocol) throws Exception {
        Server server = serve();
        Reply reply =
                send(
                        protocol,
                        server,
                        "POST",
                        "/uploads",
                        bytes(10),
                        headers(DraftVersion.V6, true, "Upload-Offset", "5"));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).contains("A new upload begins at byte 0");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void options_announcesTheMediaTypeAndTheLimits(Protocol protocol) throws Exception {
        Reply reply = ask(protocol, serve(), "OPTIONS", "/uploads");
        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.header("Accept-Patch")).contains("application/partial-upload");
        assertThat(reply.header("Upload-Limit")).contains("max-size=4194304");
    }

    @Test
    void delete_ofAnUpload_endsIt() throws Exception {
        Server server = serve();
        for (Protocol protocol : Protocol.values()) {
            for (DraftVersion version : DraftVersion.values()) {
                String location = created(protocol, server, version, bytes(10));
                boolean refuses = version.number() <= 5;
                String[] odd = with(asking(version), "Upload-Offset", "10");
                assertThat(ask(protocol, server, "HEAD", location, odd).status())
                        .isEqualTo(refuses ? 400 : 204);
                if (refuses) {
                    assertThat(ask(protocol, server, "DELETE", location, odd).status())
                            .isEqualTo(400);
                }
                assertThat(ask(protocol, server, "DELETE", location, asking(version)).status())
                        .isEqualTo(204);
                for (String method : new String[] {"HEAD", "DELETE"}) {
                    assertThat(ask(protocol, server, method, location, asking(version)).status())
                            .as("%s %s", version, method)
                            .isIn(refuses ? new Object[] {404} : new Object[] {404, 410});
                }
                assertThat(
                                send(
                                                protocol,
                                                server,
                                                "PATCH",
                                                location,
                                                bytes(1),
                                                appending(version, true, 10))
                                        .status())
                        .isIn(refuses ? new Object[] {404} : new Object[] {404, 410});
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_thatBreaksOffUntold_leavesNothing(Protocol protocol) throws Exception {
        interim = false;
        Server server = serve();
        try (TestClient client = protocol.connect(server.port())) {
            client.begin(
                    "POST", "/uploads", headers(DraftVersion.V8, true, "Upload-Length", "3000000"));
            client.part(bytes(100_000));
            await("the upload is there", () -> uploads() == 1);
            client.cancel();
        }
        await("the upload is gone", () -> uploads() == 0);
    }

    private long uploads() throws IOException {
        try (Stream<Path> entries = Files.list(directory.resolve(".uploads"))) {
            return entries.filter(Files::isDirectory).count();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_thatBreaksOffTold_isToBeGoneOnWith(Protocol protocol) throws Exception {
        Server server = serve();
        String location;
        try (TestClient client = protocol.connect(server.port())) {
            client.begin(
                    "POST", "/uploads", headers(DraftVersion.V8, true, "Upload-Length", "3000000"));
            client.part(bytes(100_000));
            location = client.head().header("Location").orElseThrow();
        }
        assertThat(offset(protocol, server, DraftVersion.V8, location)).isBetween(0L, 100_000L);
    }
}
