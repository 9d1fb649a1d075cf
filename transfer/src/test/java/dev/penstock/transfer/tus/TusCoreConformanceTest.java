package dev.penstock.transfer.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.TestClient;
import dev.penstock.transfer.upload.UploadFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The core of tus 1.0.0, requirement by requirement, in the order of its text. */
final class TusCoreConformanceTest extends UploadFixture {
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void everyResponse_namesTheVersion(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(3);
        assertThat(client.tus("POST", BASE, "Upload-Length", "1").header("Tus-Resumable"))
                .hasValue("1.0.0");
        assertThat(client.tus("HEAD", path).header("Tus-Resumable")).hasValue("1.0.0");
        assertThat(client.patch(path, 0, bytes(3)).header("Tus-Resumable")).hasValue("1.0.0");
        assertThat(client.patch(path, 9, bytes(3)).header("Tus-Resumable")).hasValue("1.0.0");
        assertThat(client.tus("HEAD", BASE + "/none").header("Tus-Resumable")).hasValue("1.0.0");
        assertThat(client.tus("DELETE", path).header("Tus-Resumable")).hasValue("1.0.0");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anotherVersion_is412WithThoseThatThereAre_andNothingIsDone(Protocol protocol)
            throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(3);
        String[] headers = {
            "Tus-Resumable", "0.2.2", "Upload-Offset", "0", "Content-Type", OFFSET_STREAM
        };
        for (String method : new String[] {"HEAD", "PATCH", "DELETE"}) {
            Reply refused = client.send(method, path, headers);
            assertThat(refused.status()).as(method).isEqualTo(412);
            assertThat(refused.header("Tus-Version")).as(method).hasValue("1.0.0");
        }
        assertThat(client.send("POST", BASE, "Tus-Resumable", "2", "Upload-Length", "1").status())
                .isEqualTo(412);
        assertThat(client.offset(path)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void methodOverride_ofAPost_isTheMethod(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(5);
        Reply patched =
                client.send(
                        "POST",
                        path,
                        bytes(5),
                        "X-HTTP-Method-Override",
                        "PATCH",
                        "Tus-Resumable",
                        "1.0.0",
                        "Content-Type",
                        OFFSET_STREAM,
                        "Upload-Offset",
                        "0");
        assertThat(patched.status()).isEqualTo(204);
        assertThat(patched.header("Upload-Offset")).hasValue("5");
        assertThat(
                        client.tus("POST", path, "X-HTTP-Method-Override", "HEAD")
                                .header("Upload-Offset"))
                .hasValue("5");
        assertThat(client.tus("POST", path, "X-HTTP-Method-Override", "DELETE").status())
                .isEqualTo(204);
        assertThat(client.tus("HEAD", path).status()).isEqualTo(410);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void head_always_saysTheOffset(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(4);
        assertThat(client.offset(path)).isZero();
        client.patch(path, 0, bytes(3));
        assertThat(client.offset(path)).isEqualTo(3);
        client.patch(path, 3, bytes(1));
        Reply complete = client.tus("HEAD", path);
        assertThat(complete.header("Upload-Offset")).hasValue("4");
        assertThat(complete.header("Upload-Length")).hasValue("4");
        assertThat(complete.header("Cache-Control")).hasValue("no-store");
        assertThat(complete.body()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void head_ofWhatIsNotThere_is404WithoutAnOffset(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        for (String id : new String[] {"none", "AAAAAAAAAAAAAAAAAAAAAA", ".uploads", "%2e%2e"}) {
            Reply reply = client.tus("HEAD", BASE + "/" + id);
            assertThat(reply.status()).as(id).isEqualTo(404);
            assertThat(reply.header("Upload-Offset")).as(id).isEmpty();
            assertThat(client.patch(BASE + "/" + id, 0, bytes(1)).status()).as(id).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_atTheOffset_isAppliedAnd204WithTheNewOne(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        for (int length : new int[] {1, 16_383, 16_384, 32_769, 65_536, 65_537, 524_289}) {
            byte[] all = bytes(length);
            String path = client.create(length, "Upload-Metadata", "filename " + name(length));
            int half = length / 2;
            Reply first = client.patch(path, 0, slice(all, 0, half));
            assertThat(first.status()).isEqualTo(204);
            assertThat(first.header("Upload-Offset")).hasValue(Integer.toString(half));
            Reply second = client.patch(path, half, slice(all, half, length));
            assertThat(second.status()).isEqualTo(204);
            assertThat(second.header("Upload-Offset")).hasValue(Integer.toString(length));
            assertThat(Files.readAllBytes(directory.resolve("f" + length))).isEqualTo(all);
            assertThat(client.send("GET", path).body()).isEqualTo(all);
        }
    }

    private static String name(int length) {
        return Base64.getEncoder().encodeToString(("f" + length).getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_inChunksOfUnknownLength_isApplied(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(70_000);
        String path = client.create(all.length);
        Reply reply =
                client.stream(
                        "PATCH",
                        path,
                        all,
                        "Tus-Resumable",
                        "1.0.0",
                        "Content-Type",
                        OFFSET_STREAM,
                        "Upload-Offset",
                        "0");
        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.header("Upload-Offset")).hasValue("70000");
        assertThat(client.send("GET", path).body()).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_ofAnotherMediaType_is415(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(3);
        String[] headers = {"Tus-Resumable", "1.0.0", "Upload-Offset", "0"};
        assertThat(client.send("PATCH", path, bytes(3), headers).status()).isEqualTo(415);
        assertThat(
                        client.send(
                                        "PATCH",
                                        path,
                                        bytes(3),
                                        with(headers, "Content-Type", "application/octet-stream"))
                                .status())
                .isEqualTo(415);
        assertThat(client.offset(path)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_atAnotherOffset_is409AndChangesNothing(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(10);
        String path = client.create(10);
        client.patch(path, 0, slice(all, 0, 4));
        for (long offset : new long[] {0, 3, 5, 10, 11, Long.MAX_VALUE}) {
            Reply refused = client.patch(path, offset, bytes(2));
            assertThat(refused.status()).as("" + offset).isEqualTo(409);
            assertThat(refused.header("Content-Type")).hasValue("text/plain; charset=utf-8");
            assertThat(client.offset(path)).isEqualTo(4);
        }
        client.patch(path, 4, slice(all, 4, 10));
        assertThat(client.send("GET", path).body()).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_brokenOff_keepsWhatHasCome(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(200_000);
        String path = client.create(all.length);
        try (TestClient broken = protocol.connect(client.port())) {
            broken.begin(
                            "PATCH",
                            path,
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            "0")
                    .part(slice(all, 0, 50_000));
            await("bytes", () -> client.offset(path) == 50_000);
            broken.cancel();
        }
        assertThat(client.offset(path)).isEqualTo(50_000);
        assertThat(client.patch(path, 50_000, slice(all, 50_000, all.length)).status())
                .isEqualTo(204);
        assertThat(client.send("GET", path).body()).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_whileAnOlderOneHangs_endsThatOne(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(100);
        String path = client.create(all.length);
        try (TestClient hanging = protocol.connect(client.port())) {
            hanging.begin(
                            "PATCH",
                            path,
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            "0")
                    .part(slice(all, 0, 40));
            await("bytes", () -> client.offset(path) == 40);
            assertThat(client.patch(path, 40, slice(all, 40, 100)).status()).isEqualTo(204);
            assertThat(hanging.reply().status()).isEqualTo(409);
        }
        assertThat(client.send("GET", path).body()).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_withoutBytesOnACompleteUpload_confirmsIt(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(3);
        client.patch(path, 0, bytes(3));
        Reply again = client.patch(path, 3, new byte[0]);
        assertThat(again.status()).isEqualTo(204);
        assertThat(again.header("Upload-Offset")).hasValue("3");
        assertThat(client.patch(path, 3, bytes(1)).status()).isIn(403, 413);
        assertThat(client.patch(path, 0, bytes(3)).status()).isEqualTo(409);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void options_saysWhatThereIs_andIgnoresTheVersion(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.maxBytes(1_000)));
        for (String path : new String[] {BASE, BASE + "/", BASE + "/x"}) {
            Reply reply = client.send("OPTIONS", path, "Tus-Resumable", "9.9");
            assertThat(reply.status()).isEqualTo(204);
            assertThat(reply.header("Tus-Version")).hasValue("1.0.0");
            assertThat(reply.header("Tus-Max-Size")).hasValue("1000");
            assertThat(reply.header("Tus-Extension").orElseThrow().split(","))
                    .containsExactlyInAnyOrder(
                            "creation",
                            "creation-with-upload",
                            "creation-defer-length",
                            "checksum",
                            "checksum-trailer",
                            "termination",
                            "concatenation",
                            "expiration");
            assertThat(reply.header("Tus-Checksum-Algorithm").orElseThrow().split(","))
                    .contains("sha1", "sha256", "crc32c");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void questions_whileUploadsHaveAllPermits_areAnswered(Protocol protocol) throws Exception {
        Admission one = new Admission(1, 0, Duration.ofSeconds(1));
        Client client = Client.of(protocol, serve(settings -> settings.admission(one)));
        String path = client.create(100);
        await("permit", () -> one.runningNow() == 0);
        try (TestClient hanging = protocol.connect(client.port())) {
            hanging.begin(
                            "PATCH",
                            path,
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            "0")
                    .part(bytes(40));
            await("bytes", () -> client.offset(path) == 40);
            assertThat(client.send("OPTIONS", BASE).status()).isEqualTo(204);
            assertThat(client.send("GET", BASE).status()).isEqualTo(200);
            Reply refused = client.patch(path, 40, bytes(60));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(client.tus("DELETE", path).status()).isEqualTo(204);
            await("permit", () -> one.runningNow() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void methodOverride_ofASafeMethod_is400(String method) throws Exception {
        Client client = Client.of(Protocol.HTTP_1_1, serve());
        String path = client.create(3);
        assertThat(client.tus(method, path, "X-HTTP-Method-Override", "DELETE").status())
                .isEqualTo(400);
        assertThat(client.offset(path)).isZero();
    }
}
