package dev.penstock.transfer.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.TestClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Uploads without a protocol: the body of a PUT or POST, and forms; and what can be asked of all uploads. */
final class PlainUploadsIT extends UploadFixture {
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void put_toAName_isAFile(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(70_000);
        Reply made = client.send("PUT", BASE + "/a%20b.bin", all);
        assertThat(made.status()).isEqualTo(201);
        assertThat(Files.readAllBytes(directory.resolve("a b.bin"))).isEqualTo(all);
        String path = made.header("Location").orElseThrow();
        assertThat(path).matches(BASE + "/[A-Za-z0-9_-]{22}");
        assertThat(made.text())
                .contains("\"name\":\"a b.bin\"", "\"offset\":70000", "\"complete\":true");
        assertThat(client.send("GET", path).body()).isEqualTo(all);
        assertThat(client.stream("PUT", BASE + "/a%20b.bin", all).status()).isEqualTo(201);
        assertThat(files()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void post_ofABody_hasItsNameFromHeaderOrQuery(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        client.send(
                "POST", BASE, bytes(3), "Content-Disposition", "attachment; filename=\"a.txt\"");
        client.send(
                "POST",
                BASE,
                bytes(3),
                "Content-Disposition",
                "attachment; filename=x; filename*=utf-8''Pl%C3%A4n");
        client.stream("POST", BASE + "?name=c", bytes(3));
        assertThat(files()).containsExactlyInAnyOrder("a.txt", "Plän", "c");
        Reply nameless = client.send("POST", BASE, bytes(3));
        assertThat(nameless.status()).isEqualTo(201);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void put_brokenOff_leavesNothing(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.quota(100_000)));
        try (TestClient broken = protocol.connect(client.port())) {
            broken.begin("PUT", BASE + "/a").part(bytes(50_000));
            await("bytes", () -> client.send("GET", BASE).text().contains("\"offset\":50000"));
            broken.cancel();
        }
        await("gone", () -> !client.send("GET", BASE).text().contains("\"id\""));
        assertThat(files()).isEmpty();
        // Its room is given back when its bytes are deleted, which is after it was taken off the
        // list.
        await("room", () -> client.send("PUT", BASE + "/a", bytes(100_000)).status() == 201);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void put_refused_leavesNothing(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.maxBytes(1_000)));
        assertThat(client.send("PUT", BASE + "/a", bytes(1_001)).status()).isEqualTo(413);
        assertThat(client.stream("PUT", BASE + "/a", bytes(100_000)).status()).isEqualTo(413);
        assertThat(client.send("PUT", BASE + "/..%2Fa", bytes(1)).status()).isEqualTo(400);
        assertThat(client.send("PUT", BASE + "/a%0Ab", bytes(1)).status()).isEqualTo(400);
        Reply range = client.send("PUT", BASE + "/a", bytes(1), "Content-Range", "bytes 5-5/6");
        assertThat(range.status()).isEqualTo(400);
        assertThat(client.send("GET", BASE).text()).doesNotContain("\"id\"");
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void put_withADigest_isVerified(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] all = bytes(1_000);
        byte[] sha = MessageDigest.getInstance("SHA-256").digest(all);
        String digest = "sha-256=:" + Base64.getEncoder().encodeToString(sha) + ":";
        assertThat(client.send("PUT", BASE + "/a", bytes(999), "Content-Digest", digest).status())
                .isEqualTo(400);
        assertThat(client.send("PUT", BASE + "/a", bytes(999), "Repr-Digest", digest).status())
                .isEqualTo(400);
        assertThat(files()).isEmpty();
        assertThat(client.send("PUT", BASE + "/a", all, "Repr-Digest", digest).status())
                .isEqualTo(201);
    }

    private static final String FORM =
            """
            --b
            Content-Disposition: form-data; name="note"

            hello
            --b
            Content-Disposition: form-data; name="f"; filename="a.txt"
            Content-Type: text/plain

            first
            --b
            Content-Disposition: form-data; name="f"; filename=""


            --b
            Content-Disposition: form-data; name="f"; filename="C:\\b.txt"

            second
            --b--
            """;

    private static byte[] form(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void form_withFiles_makesAnUploadOfEach(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        Reply made =
                client.send(
                        "POST",
                        BASE,
                        form(FORM),
                        "Content-Type",
                        "multipart/form-data; boundary=b");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(Files.readString(directory.resolve("a.txt"))).isEqualTo("first");
        assertThat(Files.readString(directory.resolve("b.txt"))).isEqualTo("second");
        assertThat(made.text()).contains("\"name\":\"a.txt\"", "\"name\":\"b.txt\"");
        Reply browser =
                client.send(
                        "POST",
                        BASE,
                        form(FORM),
                        "Content-Type",
                        "multipart/form-data; boundary=b",
                        "Accept",
                        "text/html");
        assertThat(browser.status()).isEqualTo(303);
        assertThat(browser.header("Location")).hasValue(BASE);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void form_malformedOrTooLarge_saysWhatIsThere(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.maxBytes(5)));
        String type = "multipart/form-data; boundary=b";
        Reply large = client.send("POST", BASE, form(FORM), "Content-Type", type);
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.text()).contains("\"uploads\":[\"" + BASE + "/");
        assertThat(files()).containsExactly("a.txt");
        String cut = FORM.substring(0, FORM.indexOf("second"));
        assertThat(client.send("POST", BASE, form(cut), "Content-Type", type).status())
                .isEqualTo(400);
        assertThat(client.send("POST", BASE, form("--b--\n"), "Content-Type", type).status())
                .isEqualTo(400);
        assertThat(
                        client.send("POST", BASE, form(FORM), "Content-Type", "multipart/form-data")
                                .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void list_ofAnOwner_hasItsUploadsNewestFirst(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(10, "X-Owner", "ann", "Upload-Metadata", "name YQ==");
        client.patch(path, 0, bytes(4), "X-Owner", "ann");
        client.create(10, "X-Owner", "bob");
        Reply list = client.send("GET", BASE, "X-Owner", "ann");
        assertThat(list.header("Content-Type")).hasValue("application/json");
        assertThat(list.header("Cache-Control")).hasValue("no-store");
        String id = path.substring(path.lastIndexOf('/') + 1);
        assertThat(list.text())
                .isEqualTo(
                        """
                        {"uploads":[
                        {"id":"%s","location":"%s","name":"a","type":null,"length":10,"offset":4,"complete":false,\
                        "created":"2026-01-31T12:00:00Z","expires":"2026-02-01T12:00:00Z"}]}
                        """
                                .formatted(id, path));
        assertThat(client.send("GET", BASE, "X-Owner", "eve").text())
                .isEqualTo("{\"uploads\":[]}\n");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void download_ofACompleteUpload_hasRangesAndIsNeverShown(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        byte[] page = "<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8);
        String path =
                client.send("PUT", BASE + "/Pl%C3%A4n.html", page, "Content-Type", "text/html")
                        .header("Location")
                        .orElseThrow();
        Reply whole = client.send("GET", path);
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo(page);
        assertThat(whole.header("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(whole.header("Content-Disposition"))
                .hasValue("attachment; filename=\"Pl_n.html\"; filename*=UTF-8''Pl%C3%A4n.html");
        assertThat(whole.header("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(whole.header("Content-Security-Policy")).hasValue("default-src 'none'; sandbox");
        Reply part = client.send("GET", path, "Range", "bytes=1-6");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("script");
        assertThat(client.send("HEAD", path).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void download_ofAnUnfinishedUpload_is409(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(10);
        assertThat(client.send("GET", path).status()).isEqualTo(409);
        assertThat(client.send("HEAD", path).header("Upload-Offset")).hasValue("0");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_ofNoProtocol_is415WithThoseThatThereAre(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String path = client.create(10);
        Reply refused = client.send("PATCH", path, bytes(3), "Upload-Offset", "0");
        assertThat(refused.status()).isEqualTo(415);
        assertThat(refused.header("Accept-Patch"))
                .hasValue("application/offset+octet-stream, application/partial-upload");
    }

    @Test
    void location_behindAProxy_isWhatItIsSetTo() throws Exception {
        Client client =
                Client.of(
                        Protocol.HTTP_1_1,
                        serve(settings -> settings.publicPath("https://cdn.example/in/")));
        assertThat(client.create(1)).startsWith("https://cdn.example/in/");
        assertThat(client.send("GET", BASE).text()).contains("https://cdn.example/in/");
    }

    @Test
    void delete_withoutAProtocol_removesAnUpload() throws Exception {
        Client client = Client.of(Protocol.HTTP_1_1, serve());
        String path = client.send("PUT", BASE + "/a", bytes(3)).header("Location").orElseThrow();
        assertThat(client.send("DELETE", path).status()).isEqualTo(204);
        assertThat(files()).isEmpty();
        assertThat(client.send("GET", path).status()).isEqualTo(410);
    }
}
