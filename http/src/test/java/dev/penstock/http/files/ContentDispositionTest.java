package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContentDispositionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.txt | attachment; filename=\"a.txt\"",
                "a b;c,d.txt | attachment; filename=\"a b;c,d.txt\"",
                "grün.txt | attachment; filename=\"gr_n.txt\"; filename*=UTF-8''gr%C3%BCn.txt",
                "€ 5.pdf | attachment; filename=\"_ 5.pdf\"; filename*=UTF-8''%E2%82%AC%205.pdf",
                "😀.png | attachment; filename=\"_.png\"; filename*=UTF-8''%F0%9F%98%80.png",
                "a\"b.txt | attachment; filename=\"a_b.txt\"; filename*=UTF-8''a%22b.txt",
                "100%25.txt | attachment; filename=\"100_25.txt\"; filename*=UTF-8''100%2525.txt",
                "../../etc/passwd | attachment; filename=\".._.._etc_passwd\"",
                "C:\\x.exe | attachment; filename=\"C:_x.exe\"",
            })
    void name_ofAnyLanguage_isGivenExactlyAndForOldClients(String name, String value) {
        assertThat(ContentDisposition.attachment(name)).isEqualTo(value);
        assertThat(ContentDisposition.inline(name))
                .isEqualTo(value.replaceFirst("attachment", "inline"));
    }

    @Test
    void name_withWhatMisleads_losesIt() {
        assertThat(ContentDisposition.attachment("a\r\nSet-Cookie: x=1"))
                .isEqualTo("attachment; filename=\"a__Set-Cookie: x=1\"");
        assertThat(ContentDisposition.attachment("photo\u202egpj.exe"))
                .isEqualTo("attachment; filename=\"photo_gpj.exe\"");
        assertThat(ContentDisposition.attachment("\ud800\u0000\u0085\u2028"))
                .isEqualTo("attachment; filename=\"____\"");
        assertThat(ContentDisposition.attachment("x".repeat(300) + ".tar.gz"))
                .isEqualTo("attachment; filename=\"" + "x".repeat(248) + ".tar.gz\"");
    }

    @Test
    void anyCharacter_staysWithinTheValue() {
        for (int c = 0; c < 0x2100; c++) {
            String value = ContentDisposition.attachment(Character.toString(c));
            assertThat(value.chars().allMatch(x -> x >= 0x20 && x < 0x7f)).isTrue();
            assertThat(value.replace("filename=\"\"", "").chars().filter(x -> x == '"').count())
                    .isEqualTo(2);
            int exact = value.indexOf("''");
            if (exact >= 0) {
                assertThat(
                                URLDecoder.decode(
                                        value.substring(exact + 2).replace("+", "%2B"),
                                        StandardCharsets.UTF_8))
                        .isEqualTo(Character.toString(c));
            }
        }
    }
}
