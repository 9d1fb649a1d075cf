package dev.penstock.transfer.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.TestClient;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Appends to uploads, by what the texts of the draft say of them. */
final class DraftAppendIT extends DraftFixture {
    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

    private static String completeness(DraftVersion version, boolean isComplete) {
        return isComplete == (version == DraftVersion.V3) ? "?0" : "?1";
    }

    @ParameterizedTest
    @MethodSource("versions")
    void patch_partByPart_completesTheUpload(Protocol protocol, DraftVersion version)
            throws Exception {
        Server server = serve();
        byte[] bytes = bytes(200_000);
        String location = created(protocol, server, version, Arrays.copyOf(bytes, 65_536));
        Reply second =
                send(
                        protocol,
                        server,
                        "PATCH",
                        location,
                        Arrays.copyOfRange(bytes, 65_536, 131_073),
                        appending(version, false, 65_536));
        assertThat(second.status()).isEqualTo(version.number() <= 4 ? 201 : 204);
        assertThat(second.header("Upload-Offset")).contains("131073");
        assertThat(second.header(version.completeHeader())).contains(completeness(version, false));
        assertThat(files()).isEmpty();
        Reply last =
                send(
                        protocol,
                        server,
                        "PATCH",
                        location,
                        Arrays.copyOfRange(bytes, 131_073, 200_000),
                        appending(version, true, 131_073));
        assertThat(last.status()).isEqualTo(201);
        assertThat(last.header("Location")).contains(location);
        assertThat(last.header("Upload-Offset")).contains("200000");
        assertThat(last.header(version.completeHeader())).contains(completeness(version, true));
        assertThat(onlyFile()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void patch_afterAConnectionThatBroke_goesOnWhereItStopped(
            Protocol protocol, DraftVersion version) throws Exception {
        Server server = serve();
        byte[] bytes = bytes(524_289);
        String location;
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/uploads", headers(version, true));
            location = client.head().header("Location").orElseThrow();
            client.part(Arrays.copyOf(bytes, 100_000));
            client.cancel();
        }
        long offset = offset(protocol, server, version, location);
        assertThat(offset).isBetween(0L, 100_000L);
        Reply reply =
                send(
                        protocol,
                        server,
                        "PATCH",
                        location,
                        Arrays.copyOfRange(bytes, (int) offset, bytes.length),
                        appending(version, true, offset));
        assertThat(reply.status()).isEqualTo(201);
        assertThat(onlyFile()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void head_whileAnAppendHangs_endsThatAndTellsWhatStays(Protocol protocol, DraftVersion version)
            throws Exception {
        Server server = serve();
        String location = created(protocol, server, version, new byte[0]);
        try (TestClient hanging = protocol.connect(server.port())) {
            hanging.begin("PATCH", location, appending(version, true, 0)).part(bytes(70_000));
            FutureTask<Reply> answer = new FutureTask<>(() -> last(hanging));
            Thread.startVirtualThread(answer);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            // The first question may come before the append has begun, which then goes on.
            while (!answer.isDone() && System.nanoTime() < deadline) {
                var _ = offset(protocol, server, version, location);
            }
            assertThat(answer.get(60, TimeUnit.SECONDS).status()).isEqualTo(409);
            long offset = offset(protocol, server, version, location);
            assertThat(offset(protocol, server, version, location)).isEqualTo(offset);
            Reply reply =
                    send(
                            protocol,
                            server,
                            "PATCH",
                            location,
                            Arrays.copyOfRange(bytes(70_000), (int) offset, 70_000),
                            appending(version, true, offset));
            assertThat(reply.status()).isEqualTo(201);
            assertThat(onlyFile()).isEqualTo(bytes(70_000));
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_atAnotherOffset_isAConflictAndChangesNothing(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String location = created(protocol, server, version, bytes(100));
            for (long wrong : new long[] {0, 99, 101, 200, 999_999_999_999_999L}) {
                Reply reply =
                        send(
                                protocol,
                                server,
                                "PATCH",
                                location,
                                bytes(10),
                                appending(version, false, wrong));
                assertThat(reply.status()).isEqualTo(409);
                assertThat(reply.header("Upload-Offset")).contains("100");
                assertThat(reply.header(version.completeHeader()))
                        .contains(completeness(version, false));
                assertThat(reply.header("Content-Type")).contains("application/problem+json");
                assertThat(reply.text())
                        .contains(TYPES + "mismatching-upload-offset")
                        .containsPattern("\"expected-offset\": ?100\\b")
                        .containsPattern("\"provided-offset\": ?" + wrong + "\\b");
            }
            assertThat(offset(protocol, server, version, location)).isEqualTo(100);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_withoutItsHeaders_isRefused(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String location = created(protocol, server, version, bytes(10));
            String[] type = {"Content-Type", DraftProtocol.PARTIAL_UPLOAD};
            for (String offset : new String[] {"", "-1", "1.5", "x", "9999999999999999"}) {
                String[] headers = headers(version, true, type);
                Reply reply =
                        send(
                                protocol,
                                server,
                                "PATCH",
                                location,
                                bytes(1),
                                offset.isEmpty()
                                        ? headers
                                        : with(headers, "Upload-Offset", offset));
                assertThat(reply.status()).as(offset).isEqualTo(400);
                assertThat(reply.text()).contains("Upload-Offset is missing");
            }
            Reply unsaid =
                    send(
                            protocol,
                            server,
                            "PATCH",
                            location,
                            bytes(1),
                            with(with(asking(version), type), "Upload-Offset", "10"));
            assertThat(unsaid.status()).isEqualTo(version == DraftVersion.V3 ? 201 : 400);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_ofAnotherMediaType_isRefusedFromVersion6(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String location = created(protocol, server, version, bytes(10));
            String[] headers = headers(version, true, "Upload-Offset", "10");
            Reply reply = send(protocol, server, "PATCH", location, bytes(1), headers);
            assertThat(reply.status()).isEqualTo(version.number() >= 6 ? 415 : 201);
            assertThat(reply.header("Accept-Patch").isPresent()).isEqualTo(version.number() >= 6);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void patch_ofACompleteUpload_isRefused(Protocol protocol, DraftVersion version)
            throws Exception {
        Server server = serve();
        String location =
                send(protocol, server, "POST", "/uploads", bytes(10), headers(version, true))
                        .header("Location")
                        .orElseThrow();
        Reply reply =
                send(protocol, server, "PATCH", location, bytes(1), appending(version, true, 10));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).contains(TYPES + "completed-upload");
        assertThat(reply.header(version.completeHeader())).contains(completeness(version, true));
        assertThat(onlyFile()).isEqualTo(bytes(10));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_withLengthsThatDoNotAgree_isRefusedAndChangesNothing(Protocol protocol)
            throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String location = created(protocol, server, version, bytes(10), "Upload-Length", "100");
            for (String[] headers :
                    new String[][] {
                        appending(version, true, 10),
                        appending(version, false, 10, "Upload-Length", "99"),
                        appending(version, true, 10, "Upload-Length", "100")
                    }) {
                Reply reply = send(protocol, server, "PATCH", location, bytes(50), headers);
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.text()).contains(TYPES + "inconsistent-upload-length");
            }
            Reply beyond =
                    send(
                            protocol,
                            server,
                            "PATCH",
                            location,
                            bytes(91),
                            appending(version, false, 10));
            assertThat(beyond.status()).isEqualTo(400);
            assertThat(beyond.text()).contains(TYPES + "inconsistent-upload-length");
            assertThat(offset(protocol, server, version, location)).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_inChunksBeyondTheLength_isRefused(Protocol protocol) throws Exception {
        Server server = serve();
        for (DraftVersion version : DraftVersion.values()) {
            String location = created(protocol, server, version, bytes(10), "Upload-Length", "100");
            try (TestClient client = protocol.connect(server.port())) {
                client.begin("PATCH", location, appending(version, false, 10))
                        .part(bytes(91))
                        .end();
                Reply reply = last(client);
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.text()).contains(TYPES + "inconsistent-upload-length");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_withoutBytes_completesWhatWasThereBefore(Protocol protocol) throws Exception {
        Server server = serve();
        for (String[] length : new String[][] {{}, {"Upload-Length", "10"}}) {
            String location = created(protocol, server, DraftVersion.V8, bytes(10), length);
            Reply reply =
                    send(
                            protocol,
                            server,
                            "PATCH",
                            location,
                            new byte[0],
                            appending(DraftVersion.V8, true, 10));
            assertThat(reply.status()).isEqualTo(201);
            assertThat(reply.header("Upload-Complete")).contains("?1");
        }
        assertThat(files()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void progress_isToldNowAndThen_fromVersion5(Protocol protocol, DraftVersion version)
            throws Exception {
        nanosBetweenLooks.set(2_000_000_000);
        Server server = serve();
        String location = created(protocol, server, version, new byte[0]);
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("PATCH", location, appending(version, true, 0));
            byte[] part = bytes(900_000);
            client.part(part).end();
            long told = 0;
            int count = 0;
            Reply reply = client.head();
            for (; reply.status() == 104; reply = client.head()) {
                assertThat(reply.header("Upload-Draft-Interop-Version"))
                        .contains(Integer.toString(version.number()));
                assertThat(reply.header("Location")).isEmpty();
                long offset = Long.parseLong(reply.header("Upload-Offset").orElseThrow());
                assertThat(offset).isBetween(told + 1, 900_000L);
                told = offset;
                count++;
            }
            assertThat(reply.status()).isEqualTo(201);
            // At each 256 KiB, or up to a buffer later.
            boolean isTold = version.number() >= 5;
            assertThat(count).isBetween(isTold ? 2 : 0, isTold ? 3 : 0);
        }
    }
}
