package dev.penstock.http.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies of requests, whole and malformed, over each protocol, with their length told and not. */
@Timeout(300)
@Tag("any-loops")
final class FormsIT extends ServerFixture {
    private static List<String> headers(FormCase one) {
        List<String> headers = new ArrayList<>();
        if (one.contentType() != null) {
            headers.addAll(List.of("Content-Type", one.contentType()));
        }
        if (!one.coding().isEmpty()) {
            headers.addAll(List.of("Content-Encoding", one.coding()));
        }
        return headers;
    }

    private static Reply send(TestClient client, FormCase one, boolean lengthTold, Random random)
            throws IOException {
        String[] headers = headers(one).toArray(String[]::new);
        try {
            if (lengthTold) {
                client.send("POST", one.path(), one.body(), headers);
            } else {
                client.begin("POST", one.path(), headers);
                sendInPieces(client, one.body(), random);
            }
        } catch (IOException e) {
            // The server need not take all of a body that it refuses.
            assertThat(one.status()).as(one + ": " + e).isGreaterThanOrEqualTo(400);
        }
        return client.reply();
    }

    private static void sendInPieces(TestClient client, byte[] body, Random random)
            throws IOException {
        for (int at = 0; at < body.length; ) {
            int count = Math.min(body.length - at, 1 + random.nextInt(20_000));
            client.part(Arrays.copyOfRange(body, at, at + count));
            at += count;
        }
        client.end();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void bodies_wholeAndMalformed_areAnsweredAsTheyAreToBe(Protocol protocol) throws Exception {
        Server server = start(FormCase::routes);
        Random random = new Random(5);
        for (FormCase one : FormCase.all()) {
            for (boolean lengthTold : new boolean[] {true, false}) {
                try (TestClient client = protocol.connect(server.port())) {
                    Reply reply = send(client, one, lengthTold, random);
                    String what =
                            one + (lengthTold ? "" : ", length not told") + ": " + reply.text();
                    assertThat(reply.status()).as(what).isEqualTo(one.status());
                    assertThat(reply.text()).as(what).contains(one.contains());
                }
            }
        }
    }
}
