package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
    private static final String ANNA = "anna-0123456789abcdef";
    private static final String BERT = "bert/0123456789+abcd==";

    @TempDir private Path directory;

    private TokenFile read(String text) throws IOException {
        return TokenFile.read("--token-file", write(text));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("tokens"), text);
    }

    @Test
    void owner_tokensOfTheFile_haveOneEach() throws Exception {
        TokenFile tokens = read("# who may upload\n\n" + ANNA + "\r\n  " + BERT + "  \n#x\n");
        String anna = tokens.owner(ANNA).orElseThrow();
        assertThat(anna).matches("[0-9a-f]{32}").isNotEqualTo(tokens.owner(BERT).orElseThrow());
        assertThat(read(ANNA).owner(ANNA)).contains(anna);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "anna", "anna-0123456789abcdeg", "# who may upload", "#x"})
    void owner_otherTokens_haveNone(String token) throws Exception {
        assertThat(read("# who may upload\n#x\n" + ANNA).owner(token)).isEmpty();
    }

    @Test
    void read_badLine_namesItsNumberAndNotTheToken() {
        assertThatThrownBy(() -> read(ANNA + "\nmy secret\n"))
                .isInstanceOf(StartupException.class)
                .hasMessage(
                        "--token-file %s: line 2 is no token: write 16 to 512"
                                        .formatted(directory.resolve("tokens"))
                                + " letters, digits and -._~+/ alone, such as from openssl rand -hex 32");
        assertThatThrownBy(() -> read("short-token-123"))
                .hasMessageContaining("line 1 is no token");
    }

    @Test
    void read_noToken_isRefused() {
        assertThatThrownBy(() -> read("# nobody yet\n"))
                .isInstanceOf(StartupException.class)
                .hasMessageEndingWith(
                        "has no token: write one a line, such as from openssl rand -hex 32");
    }

    @Test
    void read_noFile_isRefused() {
        assertThatThrownBy(() -> TokenFile.read("--token-file", directory.resolve("none")))
                .isInstanceOf(StartupException.class)
                .hasMessageEndingWith(
                        "can't be read (NoSuchFileException): check the path and its permissions");
    }

    @Test
    void read_hugeFile_isRefused() {
        assertThatThrownBy(() -> read("#".repeat((1 << 20) + 1)))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("is longer than 1 MiB");
    }

    @Test
    void reload_changedFile_hasTheNewTokens() throws Exception {
        TokenFile tokens = read(ANNA);
        assertThat(tokens.reload()).isFalse();
        write(BERT);
        assertThat(tokens.reload()).isTrue();
        assertThat(tokens.owner(ANNA)).isEmpty();
        assertThat(tokens.owner(BERT)).isPresent();
    }

    @Test
    void reload_badFile_keepsTheTokens() throws Exception {
        TokenFile tokens = read(ANNA);
        write("bad");
        assertThatThrownBy(tokens::reload).isInstanceOf(StartupException.class);
        assertThat(tokens.owner(ANNA)).isPresent();
    }
}
