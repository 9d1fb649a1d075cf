package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.upload.ResumableUploads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TransferOptionsTest {
    @TempDir private Path directory;

    private static ListenOptions listening(String... arguments) {
        ListenOptions listen = CommandLine.populateCommand(new ListenOptions(), arguments);
        listen.begin();
        return listen;
    }

    private static TransferOptions options(String... arguments) {
        return CommandLine.populateCommand(new TransferOptions(), arguments);
    }

    private Path tokens() throws Exception {
        return Files.writeString(directory.resolve("tokens"), "0123456789abcdef0123456789abcdef\n");
    }

    @Test
    void uploads_onLoopback_needNoToken() {
        Path made = directory.resolve("a/b");
        UploadSettings uploads =
                options("--uploads", made.toString()).uploads(listening()).orElseThrow();
        assertThat(made).isDirectory();
        assertThat(uploads.tokens()).isNull();
        assertThat(uploads.expiry()).isEqualTo(ResumableUploads.DEFAULT_EXPIRY);
        assertThat(uploads.durability()).isEqualTo(Durability.ACKNOWLEDGED);
        assertThat(uploads.maxBytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void usage_ofExpiry_hasTheDefaultOfTheLibrary() {
        String usage = new CommandLine(new TransferOptions()).getUsageMessage();
        assertThat(usage.replaceAll("\\s+", " "))
                .contains(
                        "comes for (1m to 8784h). Default: %dh."
                                .formatted(ResumableUploads.DEFAULT_EXPIRY.toHours()));
    }

    @Test
    void uploads_everyOption_isSet() throws Exception {
        UploadSettings uploads =
                options(
                                "--uploads=" + directory,
                                "--token-file=" + tokens(),
                                "--upload-max=1g",
                                "--upload-quota=10g",
                                "--upload-owner-quota=2g",
                                "--upload-expiry=2h",
                                "--upload-durability=complete",
                                "--no-interim-responses",
                                "--allow-origin=https://a.example,http://b.example:81")
                        .uploads(listening("--host", "0.0.0.0"))
                        .orElseThrow();
        assertThat(uploads.maxBytes()).isEqualTo(1L << 30);
        assertThat(uploads.quotaBytes()).isEqualTo(10L << 30);
        assertThat(uploads.ownerQuotaBytes()).isEqualTo(2L << 30);
        assertThat(uploads.expiry()).isEqualTo(Duration.ofHours(2));
        assertThat(uploads.durability()).isEqualTo(Durability.COMPLETE);
        assertThat(uploads.interimResponses()).isFalse();
        assertThat(uploads.origins()).containsExactly("https://a.example", "http://b.example:81");
        assertThat(uploads.tokens()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"--host, 0.0.0.0", "--host, ::", "--listen, 0.0.0.0:0"})
    void uploads_openPlaceWithoutToken_areRefusedWithTheRemedy(String option, String value) {
        assertThatThrownBy(() ->
                        options("--uploads", directory.toString())
                                .uploads(listening(option, value)))
                .isInstanceOf(StartupException.class)
                .hasMessageMatching(
                        "--uploads would let whoever reaches (0\\.0\\.0\\.0|::) write to this machine: give"
                                + " --token-file FILE with the tokens that clients have to send, or listen on 127.0.0.1"
                                + " alone");
    }

    @Test
    void files_onAnyPlace_needNoToken() {
        assertThat(options("--files", directory.toString()).files()).contains(directory);
        assertThat(options().files()).isEmpty();
    }

    @Test
    void files_noDirectory_areRefused() {
        assertThatThrownBy(() -> options("--files", "/nowhere").files())
                .hasMessage(
                        "--files /nowhere is no directory that can be read: create it, or name another");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--token-file=x",
                "--upload-max=1g",
                "--upload-quota=1g",
                "--upload-owner-quota=1g",
                "--upload-expiry=1h",
                "--upload-durability=process",
                "--no-interim-responses",
                "--allow-origin=https://a.example"
            })
    void uploads_optionWithoutThem_isRefused(String option) {
        assertThatThrownBy(() -> options(option).uploads(listening()))
                .isInstanceOf(StartupException.class)
                .hasMessage(option.split("=", 2)[0] + " is about uploads: give --uploads DIR too");
    }

    @Test
    void uploads_noneOfTheirOptions_areNone() {
        assertThat(options().uploads(listening())).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--upload-max=0 | --upload-max 0 takes no upload",
                "--upload-quota=0 | --upload-quota 0 takes no upload",
                "--upload-max=2g --upload-quota=1g | --upload-max 2g is more than --upload-quota 1g",
                "--upload-owner-quota=1g | --upload-owner-quota is about the owners of tokens",
                "--upload-expiry=59s | --upload-expiry 59s is out of bounds: choose 1m to 8784h",
                "--allow-origin=https://a.example | --allow-origin lets web pages of other sites upload: give"
                        + " --token-file"
            })
    void uploads_badOption_isRefused(String arguments, String sentence) {
        String[] all = ("--uploads=" + directory + " " + arguments).split(" ", -1);
        assertThatThrownBy(() -> options(all).uploads(listening()))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void uploads_badOrigin_isRefused() throws Exception {
        TransferOptions options =
                options(
                        "--uploads=" + directory,
                        "--token-file=" + tokens(),
                        "--allow-origin=a.example/x");
        assertThatThrownBy(() -> options.uploads(listening()))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("--allow-origin: No origin");
    }

    @Test
    void sources_nothing_areRefused() {
        assertThatThrownBy(() -> new ServedSources(null, null, null, null, null))
                .isInstanceOf(StartupException.class)
                .hasMessage(
                        "there is nothing to serve: give --jdbc URL for the tables of a database,"
                                + " --files DIR for files, --uploads DIR to take uploads, or --mongodb URL with"
                                + " --documents NAME for XML documents");
    }
}
