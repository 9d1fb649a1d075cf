package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The store of documents, as options name it; passwords stay where they are. */
final class DocumentOptionsTest {
    private static final JdbcTarget JDBC = new JdbcTarget("jdbc:h2:mem:x", null, null, List.of());

    @TempDir private Path directory;

    private static DatabaseTarget holder(String... arguments) {
        DocumentOptions options = CommandLine.populateCommand(new DocumentOptions(), arguments);
        return options.settings(JDBC, null, new ListenOptions()).orElseThrow().database();
    }

    private static DatabaseTarget mongo(String url) {
        return holder("--documents=people", "--mongodb=" + url);
    }

    private Path password(String password) throws IOException {
        return Files.writeString(directory.resolve("password"), password + "\n");
    }

    @Test
    void documents_databases_areInMongoIfItIsGiven() {
        assertThat(holder("--documents=people")).isSameAs(JDBC);
        assertThat(mongo("mongodb://h:1,i/shop?tls=true").toString())
                .isEqualTo("mongodb://h:1,i/shop");
        assertThat(mongo("mongodb+srv://h/shop").toString()).isEqualTo("mongodb+srv://h/shop");
    }

    @Test
    void mongodb_userAndPassword_areNotInItsText() throws Exception {
        MongoTarget target = MongoTarget.of("mongodb://me:gehe%40im@h/shop", null);
        assertThat(target).hasToString("mongodb://h/shop");
        assertThat(target.user()).isEqualTo("me");
        assertThat(target.url().getPassword()).isEqualTo("gehe@im".toCharArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongodb://me@h/shop?tls=true", "mongodb+srv://me:other@h/shop"})
    void mongodb_passwordFile_isThatOfTheUser(String url) throws Exception {
        String hard = "a b+c/@:?#[]%$1\\é&";
        DatabaseTarget target =
                holder(
                        "--documents=people",
                        "--mongodb=" + url,
                        "--mongodb-password-file=" + password(hard));
        assertThat(((MongoTarget) target).url().getPassword()).isEqualTo(hard.toCharArray());
        assertThat(((MongoTarget) target).user()).isEqualTo("me");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mongodb://me:geheim@h | names no database: write it like mongodb://HOST:27017/DATABASE",
                "mongodb://me:geheim@h/ | names no database",
                "mongodb://me:geheim@h/a.b | names a collection beside the database",
                "mongo://me:geheim@h/shop | has no URL of MongoDB: write it like mongodb://HOST:27017",
                "me:geheim@h/shop | has no URL of MongoDB",
                "mongodb://me:x/geheim,@h/shop | is not understood: write it like",
                "mongodb://me:%geheim@h/shop | is not understood: write it like",
                "mongodb://me:geheim:y@h/shop | is not understood: write it like",
                "mongodb://h/shop?proxyPassword=geheim | is not understood: write it like",
                "mongodb://me@h/shop | is not understood (its user has no password)",
                "mongodb://me:geheim@h/a b | the database's name has a character that none may have",
                "mongodb://h:x/shop | contains an invalid host and port",
                "mongodb://me:geheim@%2Ftmp%2Fgeheim.sock/shop | names a Unix socket",
                "mongodb://me:geheim@h/shop?compressors=snappy | write compressors=zlib"
            })
    void mongodb_whatIsNoUrl_saysHowToWriteItAndNoPassword(String url, String words) {
        assertThatThrownBy(() -> mongo(url))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("--mongodb ")
                .hasMessageContaining(words)
                .hasNoCause()
                .message()
                .doesNotContain("me:", "geheim@", "=geheim");
    }

    @Test
    void options_thatLackAnother_nameIt() throws Exception {
        assertThatThrownBy(() -> settings("--mongodb=mongodb://h/shop"))
                .hasMessage(
                        "--mongodb holds XML documents: name their collections with --documents NAME,… too");
        assertThatThrownBy(() -> settings("--documents=people"))
                .hasMessage(
                        "--documents is about a database: give --jdbc URL or --mongodb URL too");
        String file = "--mongodb-password-file=" + password("x");
        assertThatThrownBy(() -> settings("--documents=people", file))
                .hasMessage("--mongodb-password-file is about MongoDB: give --mongodb URL too");
        assertThatThrownBy(() -> mongoWith(file))
                .hasMessageStartingWith("--mongodb-password-file is of a user: name the user");
    }

    private static void mongoWith(String option) {
        holder("--documents=people", "--mongodb=mongodb://h/shop", option);
    }

    private static void settings(String... arguments) {
        CommandLine.populateCommand(new DocumentOptions(), arguments)
                .settings(null, null, new ListenOptions());
    }
}
