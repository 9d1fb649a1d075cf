package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transfer.TransferException.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
    private static final Path DIRECTORY = Path.of("/srv/files");

    @ParameterizedTest
    @ValueSource(strings = {"a", "a b.txt", "a..b", "x.", "~", "-rf", "a:b", "%2e%2e%2f", "con"})
    void check_ordinaryName_isTaken(String name) {
        FileNames.check(DIRECTORY, name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|The name of the file is empty",
                ".|The name of the file begins with a dot; files that are hidden, and . and .., are not taken",
                "..|The name of the file begins with a dot; files that are hidden, and . and .., are not taken",
                ".uploads|The name of the file begins with a dot; files that are hidden, and . and .., are not taken",
                "../a|The name of the file begins with a dot; files that are hidden, and . and .., are not taken",
                "/etc/passwd|The name of the file has a separator of folders; send the name alone",
                "a/b|The name of the file has a separator of folders; send the name alone",
                "a/..|The name of the file has a separator of folders; send the name alone",
                "a\\b|The name of the file has a separator of folders; send the name alone",
            })
    void check_nameThatLeadsElsewhere_isInvalidAndSaysWhy(String name, String message) {
        assertThat(failure(() -> FileNames.check(DIRECTORY, name))).hasMessage(message);
        assertThat(failure(() -> FileNames.check(DIRECTORY, name)).kind()).isEqualTo(Kind.INVALID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u0000b",
                "a\nb",
                "a\rb",
                "\u007f",
                "a\u0085",
                "a\u2028b",
                "cod\u202egpj.exe",
                "\u2066x"
            })
    void check_controlCharacter_isInvalid(String name) {
        assertThat(failure(() -> FileNames.check(DIRECTORY, name)))
                .hasMessage(
                        "The name of the file has a control character, or one that changes the direction of text");
    }

    @Test
    void check_halfACharacter_isInvalid() {
        assertThat(failure(() -> FileNames.check(DIRECTORY, "a\ud800")))
                .hasMessage("The name of the file has half a character (an unpaired surrogate)");
    }

    @Test
    void check_longName_isBoundedInBytes() {
        FileNames.check(DIRECTORY, "a".repeat(255));

        assertThat(failure(() -> FileNames.check(DIRECTORY, "a".repeat(256))))
                .hasMessage("The name of the file has 256 bytes of UTF-8; 255 are allowed");
        assertThat(failure(() -> FileNames.check(DIRECTORY, "é".repeat(128))))
                .hasMessage("The name of the file has 256 bytes of UTF-8; 255 are allowed");
    }

    @ParameterizedTest
    @CsvSource({
        "a.txt,1,a.txt",
        "a.txt,2,a (2).txt",
        "a,3,a (3)",
        "a.tar.gz,10,a.tar (10).gz",
        "a.,2,a (2)."
    })
    void numbered_name_hasItsNumberBeforeTheEnding(String name, int number, String expected) {
        assertThat(FileNames.numbered(name, number)).isEqualTo(expected);
    }

    @Test
    void numbered_longName_losesWholeCharacters() {
        String name = "😀".repeat(62) + ".mp4";

        String numbered = FileNames.numbered(name, 2);

        assertThat(numbered).startsWith("😀😀").endsWith("😀 (2).mp4");
        assertThat(numbered.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(255);
        assertThat(FileNames.numbered("x." + "y".repeat(253), 2)).hasSize(255).endsWith("yy (2)");
    }
}
