package dev.penstock.transfer.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.transfer.upload.UploadFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The extension concatenation of tus 1.0.0. */
final class TusConcatenationConformanceTest extends UploadFixture {
    private static final byte[] ALL = bytes(100_000);

    private static String partial(Client client, int from, int to) throws Exception {
        String path = client.create(to - from, "Upload-Concat", "partial");
        assertThat(client.patch(path, 0, slice(ALL, from, to)).status()).isEqualTo(204);
        return path;
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void finalUpload_hasTheBytesOfItsPartials_inTheirOrder(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String first = partial(client, 0, 40_000);
        String second = partial(client, 40_000, ALL.length);
        assertThat(files()).isEmpty();
        String concat = "final;" + first + " http://127.0.0.1:" + client.port() + second;
        Reply made =
                client.tus(
                        "POST", BASE, "Upload-Concat", concat, "Upload-Metadata", "filename YWI=");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String path = made.header("Location").orElseThrow();
        Reply head = client.tus("HEAD", path);
        assertThat(head.header("Upload-Concat")).hasValue("final;" + first + " " + second);
        assertThat(head.header("Upload-Length")).hasValue("100000");
        assertThat(head.header("Upload-Offset")).hasValue("100000");
        assertThat(head.header("Upload-Metadata")).hasValue("filename YWI=");
        assertThat(client.send("GET", path).body()).isEqualTo(ALL);
        assertThat(files()).containsExactly("ab");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void partialUpload_saysThatItIsOne_andMayBeUsedAgain(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String part = partial(client, 0, 10);
        Reply head = client.tus("HEAD", part);
        assertThat(head.header("Upload-Concat")).hasValue("partial");
        assertThat(head.header("Upload-Offset")).hasValue("10");
        Reply twice = client.tus("POST", BASE, "Upload-Concat", "final;" + part + " " + part);
        assertThat(twice.status()).isEqualTo(201);
        assertThat(client.send("GET", twice.header("Location").orElseThrow()).body()).hasSize(20);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void patch_ofAFinalUpload_is403AndChangesNothing(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String part = partial(client, 0, 10);
        String path =
                client.tus("POST", BASE, "Upload-Concat", "final;" + part)
                        .header("Location")
                        .orElseThrow();
        assertThat(client.patch(path, 10, bytes(1)).status()).isEqualTo(403);
        assertThat(client.patch(path, 0, bytes(10)).status()).isEqualTo(403);
        assertThat(client.offset(path)).isEqualTo(10);
        assertThat(client.offset(part)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void finalUpload_thatMakesNoSense_is400(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String part = partial(client, 0, 10);
        String unfinished = client.create(10, "Upload-Concat", "partial");
        String whole = client.create(1);
        String others = client.create(0, "Upload-Concat", "partial", "X-Owner", "other");
        for (String concat :
                new String[] {
                    "final;",
                    "final;" + unfinished,
                    "final;" + part + " " + unfinished,
                    "final;" + whole,
                    "final;" + others,
                    "final;" + BASE + "/none",
                    "final;" + BASE + "/",
                    "final",
                    "Partial",
                    "else",
                }) {
            assertThat(client.tus("POST", BASE, "Upload-Concat", concat).status())
                    .as(concat)
                    .isEqualTo(400);
        }
        Reply withLength =
                client.tus("POST", BASE, "Upload-Concat", "final;" + part, "Upload-Length", "10");
        assertThat(withLength.status()).isEqualTo(400);
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void finalUpload_beyondTheLargest_is413(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve(settings -> settings.maxBytes(10)));
        String part = partial(client, 0, 6);
        assertThat(client.tus("POST", BASE, "Upload-Concat", "final;" + part + " " + part).status())
                .isEqualTo(413);
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void finalUpload_withABody_is403(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        String part = partial(client, 0, 6);
        Reply refused =
                client.send(
                        "POST",
                        BASE,
                        bytes(3),
                        "Tus-Resumable",
                        "1.0.0",
                        "Content-Type",
                        OFFSET_STREAM,
                        "Upload-Concat",
                        "final;" + part);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void finalUpload_ofHundredsOfParts_isTakenAndNamesThem(Protocol protocol) throws Exception {
        Client client = Client.of(protocol, serve());
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            parts.add(partial(client, i, i + 1));
        }
        String concat = "final;" + String.join(" ", parts);

        Reply made = client.tus("POST", BASE, "Upload-Concat", concat);

        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String path = made.header("Location").orElseThrow();
        assertThat(client.send("GET", path).body()).isEqualTo(slice(ALL, 0, 300));
        if (protocol == Protocol.HTTP_1_1) {
            // Over HTTP/2 this client takes no head of more than 8 KiB.
            assertThat(client.tus("HEAD", path).header("Upload-Concat")).hasValue(concat);
        }
    }
}
