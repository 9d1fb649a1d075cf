package dev.penstock.transfer.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of files in Content-Disposition. */
final class FileNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inline; filename=a.txt|a.txt",
                "attachment; filename=\"a b.txt\"|a b.txt",
                "inline; filename=\"x\"; filename*=UTF-8''%e2%82%ac%20rates+a|\u20ac rates+a",
                "inline; filename*=utf-8'en'a%20b|a b",
                "inline; filename=\"x\"; filename*=unknown-1''a|x",
                "inline; filename=\"x\"; filename*=UTF-8''%zz|x",
                "inline; filename=\"x\"; filename*=nothing|x",
                "inline; filename=\"../../etc/passwd\"|passwd",
                "inline; filename*=UTF-8''a%2Fb|b",
                "inline; filename=\"r\u00c3\u00a9sum\u00c3\u00a9\"|r\u00e9sum\u00e9",
                "inline; filename=\"r\u00e9sum\u00e9\"|r\u00e9sum\u00e9"
            })
    void name_isReadAsItIsMeant(String header, String name) {
        assertThat(FileName.of(header)).contains(name);
    }

    @Test
    void name_ofAWindowsPath_isItsLastPart() {
        assertThat(FileName.of("inline; filename=\"C:\\fakepath\\a.txt\"")).contains("a.txt");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "inline",
                "inline; filename=\"\"",
                "inline; filename=\"a/\"",
                ";",
                "a;b"
            })
    void name_thatIsNotThere_isNone(String header) {
        assertThat(FileName.of(header)).isEmpty();
    }
}
