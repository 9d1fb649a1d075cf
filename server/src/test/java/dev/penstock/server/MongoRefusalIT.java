package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.penstock.server.config.DocumentOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A start with MongoDB that can't be is explained in one sentence, without a password and a stack trace. */
@Tag("any-loops")
class MongoRefusalIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Logger MONGO = Logger.getLogger("de.bwaldvogel.mongo");

    @Test
    void serve_nobodyListens_isUnreachable() throws Exception {
        assertThat(refusal("mongodb://me@127.0.0.1:1/shop?serverSelectionTimeoutMS=10000"))
                .isEqualTo(
                        "penstock: mongodb://127.0.0.1:1/shop can't be reached (Connection refused): check host and"
                                + " port, and whether MongoDB runs there\n");
    }

    @Test
    void serve_signInFails_saysWhatToCheck() throws Exception {
        MONGO.setLevel(Level.OFF);
        var server = new MongoServer(new MemoryBackend());
        try {
            String address = server.bindAndGetConnectionString();
            String url =
                    address.replace("mongodb://", "mongodb://me@").replaceFirst("/?$", "/shop");
            assertThat(refusal(url))
                    .startsWith("penstock: mongodb://127.0.0.1:")
                    .contains("/shop refuses user me (")
                    .contains("check the user, the password in --mongodb-password-file")
                    .contains("and authSource in the URL");
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void serve_openToOthersWithoutTokens_isRefused() throws Exception {
        assertThat(refusal("mongodb://me@127.0.0.1:1/shop", "--host", "0.0.0.0"))
                .contains("--documents would let whoever reaches 0.0.0.0 write to the database")
                .contains("give --token-file FILE");
    }

    private static String refusal(String url, String... more)
            throws IOException, InterruptedException {
        List<String> arguments =
                List.of("serve", "--port", "0", "--mongodb", url, "--documents", "people");
        List<String> all = Stream.concat(arguments.stream(), Stream.of(more)).toList();
        try (PenstockProcess process =
                PenstockProcess.start(
                        "64m", Map.of(DocumentOptions.PASSWORD_VARIABLE, "geheim"), all)) {
            assertThat(process.exitCode(LIMIT)).isEqualTo(2);
            assertThat(process.out()).isEmpty();
            String told =
                    process.err().replaceFirst("(?m)^.* WARNING server: Listening on .*\\R", "");
            assertThat(told).hasLineCount(1).doesNotContain("geheim");
            return told;
        }
    }
}
