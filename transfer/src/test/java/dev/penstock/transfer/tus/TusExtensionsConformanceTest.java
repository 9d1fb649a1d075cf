package dev.penstock.transfer.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.transfer.upload.UploadFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The extensions of tus 1.0.0 but checksum and concatenation, requirement by requirement. */
final class TusExtensionsConformanceTest extends UploadFixture {
    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creation_ofALength_is201WithItsLocation(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        for (String base : new String[] {BASE, BASE + "/"}) {
            Reply made = client.tus("POST", base, "Upload-Length", "5");
            assertThat(made.status()).isEqualTo(201);
            String path = made.header("Location").orElseThrow();
            assertThat(path).matches(BASE + "/[A-Za-z0-9_-]{22}");
            Reply head = client.tus("HEAD", path);
            assertThat(head.header("Upload-Length")).hasValue("5");
            assertThat(head.header("Upload-Offset")).hasValue("0");
            assertThat(head.header("Upload-Defer-Length")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creation_ofNothing_isComplete(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(0, "Upload-Metadata", "filename " + base64("empty.txt"));
        assertThat(client.offset(path)).isZero();
        assertThat(files()).containsExactly("empty.txt");
        assertThat(client.send("GET", path).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creation_withoutALength_orWithBoth_is400(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        assertThat(client.tus("POST", BASE).status()).isEqualTo(400);
        assertThat(
                        client.tus("POST", BASE, "Upload-Length", "1", "Upload-Defer-Length", "1")
                                .status())
                .isEqualTo(400);
        for (String value : new String[] {"0", "2", "true", ""}) {
            assertThat(client.tus("POST", BASE, "Upload-Defer-Length", value).status())
                    .as(value)
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creation_beyondTheLargest_is413(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.maxBytes(1_000)));
        client.create(1_000);
        for (String length :
                new String[] {
                    "1001", "9223372036854775807", "9223372036854775808", "1".repeat(40)
                }) {
            assertThat(client.tus("POST", BASE, "Upload-Length", length).status())
                    .as(length)
                    .isEqualTo(413);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void metadata_isEchoedAsItWasSent(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String metadata =
                "filename " + base64("Plän.pdf") + ",is_confidential, album " + base64("7");
        String path = client.create(3, "Upload-Metadata", metadata);
        assertThat(client.tus("HEAD", path).header("Upload-Metadata")).hasValue(metadata);
        client.patch(path, 0, bytes(3));
        assertThat(client.tus("HEAD", path).header("Upload-Metadata")).hasValue(metadata);
        assertThat(files()).containsExactly("Plän.pdf");
        assertThat(client.tus("HEAD", client.create(3)).header("Upload-Metadata")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void deferredLength_isSaidByHeadUntilItIsKnown(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(10);
        String path =
                client.tus("POST", BASE, "Upload-Defer-Length", "1")
                        .header("Location")
                        .orElseThrow();
        assertThat(client.tus("HEAD", path).header("Upload-Defer-Length")).hasValue("1");
        assertThat(client.patch(path, 0, slice(all, 0, 4)).status()).isEqualTo(204);
        Reply head = client.tus("HEAD", path);
        assertThat(head.header("Upload-Defer-Length")).hasValue("1");
        assertThat(head.header("Upload-Length")).isEmpty();
        assertThat(client.patch(path, 4, slice(all, 4, 6), "Upload-Length", "10").status())
                .isEqualTo(204);
        Reply known = client.tus("HEAD", path);
        assertThat(known.header("Upload-Defer-Length")).isEmpty();
        assertThat(known.header("Upload-Length")).hasValue("10");
        assertThat(client.patch(path, 6, slice(all, 6, 10)).status()).isEqualTo(204);
        assertThat(client.send("GET", path).body()).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void deferredLength_onceKnown_doesNotChange(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.maxBytes(100)));
        String path =
                client.tus("POST", BASE, "Upload-Defer-Length", "1")
                        .header("Location")
                        .orElseThrow();
        assertThat(client.patch(path, 0, bytes(4), "Upload-Length", "101").status()).isEqualTo(413);
        assertThat(client.patch(path, 0, bytes(4), "Upload-Length", "3").status()).isEqualTo(413);
        assertThat(client.patch(path, 1, bytes(4), "Upload-Length", "9").status()).isEqualTo(409);
        assertThat(client.tus("HEAD", path).header("Upload-Defer-Length")).hasValue("1");
        assertThat(client.patch(path, 0, bytes(4), "Upload-Length", "9").status()).isEqualTo(204);
        assertThat(client.patch(path, 4, bytes(4), "Upload-Length", "10").status()).isEqualTo(400);
        assertThat(client.patch(path, 4, bytes(1), "Upload-Length", "9").status()).isEqualTo(204);
        assertThat(client.tus("HEAD", path).header("Upload-Length")).hasValue("9");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void deferredLength_saidAtTheEndWithoutBytes_completes(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path =
                client.tus("POST", BASE, "Upload-Defer-Length", "1")
                        .header("Location")
                        .orElseThrow();
        client.patch(path, 0, bytes(4));
        assertThat(client.patch(path, 4, new byte[0], "Upload-Length", "4").status())
                .isEqualTo(204);
        assertThat(client.send("GET", path).body()).isEqualTo(bytes(4));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creationWithUpload_takesTheBody_andSaysHowFarItIs(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(40_000);
        for (int first : new int[] {0, 17, 40_000}) {
            Reply made =
                    client.send(
                            "POST",
                            BASE,
                            slice(all, 0, first),
                            "Tus-Resumable",
                            "1.0.0",
                            "Upload-Length",
                            "40000",
                            "Content-Type",
                            OFFSET_STREAM);
            assertThat(made.status()).isEqualTo(201);
            assertThat(made.header("Upload-Offset")).hasValue(Integer.toString(first));
            String path = made.header("Location").orElseThrow();
            assertThat(client.offset(path)).isEqualTo(first);
            client.patch(path, first, slice(all, first, all.length));
            assertThat(client.send("GET", path).body()).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creationWithUpload_ofAnotherMediaType_is415(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String[] headers = {"Tus-Resumable", "1.0.0", "Upload-Length", "3"};
        assertThat(client.send("POST", BASE, bytes(3), headers).status()).isEqualTo(415);
        assertThat(client.stream("POST", BASE, bytes(3), headers).status()).isEqualTo(415);
        assertThat(client.send("GET", BASE).text()).doesNotContain("\"id\"");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void creationWithUpload_ofMoreThanTheLength_is413AndMakesNothing(Protocol protocol)
            throws Exception {
        Client client = Client.of(protocol, serve());
        String[] headers = {
            "Tus-Resumable", "1.0.0", "Upload-Length", "3", "Content-Type", OFFSET_STREAM
        };
        assertThat(client.send("POST", BASE, bytes(4), headers).status()).isEqualTo(413);
        assertThat(client.stream("POST", BASE, bytes(4), headers).status()).isEqualTo(413);
        assertThat(client.send("GET", BASE).text()).doesNotContain("\"id\"");
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void expiration_isSaidAtCreationAndByPatch(Protocol protocol) throws Exception {
        Client client =
                Client.of(protocol, serve(settings -> settings.expiry(Duration.ofHours(1))));
        Reply made = client.tus("POST", BASE, "Upload-Length", "5");
        assertThat(made.header("Upload-Expires")).hasValue("Sat, 31 Jan 2026 13:00:00 GMT");
        String path = made.header("Location").orElseThrow();
        clock.set(Instant.parse("2026-01-31T12:30:00Z"));
        assertThat(client.patch(path, 0, bytes(2)).header("Upload-Expires"))
                .hasValue("Sat, 31 Jan 2026 13:30:00 GMT");
        assertThat(client.patch(path, 2, bytes(3)).header("Upload-Expires")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void expiration_ofAnUnfinishedUpload_is410(Protocol protocol) throws Exception {
        Client client =
                Client.of(protocol, serve(settings -> settings.expiry(Duration.ofHours(1))));
        String path = client.create(5);
        clock.set(Instant.parse("2026-01-31T13:00:01Z"));
        Reply head = client.tus("HEAD", path);
        assertThat(head.status()).isEqualTo(410);
        assertThat(head.header("Upload-Offset")).isEmpty();
        assertThat(client.patch(path, 0, bytes(5)).status()).isEqualTo(410);
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void termination_ofAnyUpload_is204_andFreesIt(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.quota(10)));
        String unfinished = client.create(8);
        assertThat(client.tus("POST", BASE, "Upload-Length", "8").status()).isEqualTo(413);
        assertThat(client.tus("DELETE", unfinished).status()).isEqualTo(204);
        assertThat(client.tus("HEAD", unfinished).status()).isEqualTo(410);
        assertThat(client.tus("DELETE", unfinished).status()).isEqualTo(410);
        assertThat(client.patch(unfinished, 0, bytes(1)).status()).isEqualTo(410);
        String complete = client.create(8, "Upload-Metadata", "filename " + base64("a"));
        client.patch(complete, 0, bytes(8));
        assertThat(files()).containsExactly("a");
        assertThat(client.tus("DELETE", complete).status()).isEqualTo(204);
        assertThat(files()).isEmpty();
        assertThat(client.send("GET", complete).status()).isEqualTo(410);
    }
}
