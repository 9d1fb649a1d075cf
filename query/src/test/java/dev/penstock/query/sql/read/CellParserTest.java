package dev.penstock.query.sql.read;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that the quick parsers read what they take as the JDK's do, and that they take what is usual. */
class CellParserTest {
    private static byte[] padded(String text) {
        return ("#" + text + "#").getBytes(US_ASCII);
    }

    @Test
    void decimal_ofUpTo18Digits_isTheJdks() {
        for (String text :
                List.of("0", "0.00", "-1.50", "99999999.99", "-0.0001", "123456789012345678")) {
            assertThat(CellParser.decimal(padded(text), 1, text.length()))
                    .isEqualTo(new BigDecimal(text));
        }
        for (String text : List.of("NaN", "1E5", "1234567890123456789", "-", "", "1.2.3")) {
            assertThat(CellParser.decimal(padded(text), 1, text.length())).isNull();
        }
    }

    @Test
    void binary64_atRandom_isTheJdks() {
        Random random = new Random(7);
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            double number =
                    random.nextInt(2_000_000) / Math.pow(10, random.nextInt(7))
                            - random.nextInt(1000);
            String text = BigDecimal.valueOf(number).toPlainString();
            double read = CellParser.binary64(padded(text), 1, text.length());
            if (!Double.isNaN(read)) {
                taken++;
                assertThat(read).isEqualTo(Double.parseDouble(text));
            }
        }
        assertThat(taken).isGreaterThan(5000);
        for (String text : List.of("NaN", "Infinity", "1.0E10", "-0.0", "1234567890.1234567")) {
            assertThat(CellParser.binary64(padded(text), 1, text.length())).isNaN();
        }
    }

    @Test
    void times_ofUsualYears_areTheJdks() {
        for (String text :
                List.of(
                        "2026-11-21T13:45:00",
                        "0001-01-01T23:59:59.5",
                        "9999-12-31T00:00:00.000001")) {
            LocalDateTime expected = LocalDateTime.parse(text);
            byte[] bytes = padded(text);
            assertThat(CellParser.timestamp(bytes, 1, text.length())).isEqualTo(expected);
            assertThat(CellParser.date(bytes, 1, 10)).isEqualTo(expected.toLocalDate());
            assertThat(CellParser.time(bytes, 12, text.length() - 11))
                    .isEqualTo(expected.toLocalTime());
        }
        assertThat(CellParser.date(padded("+12026-11-21"), 1, 12)).isNull();
        assertThat(CellParser.date(padded("-0043-03-15"), 1, 11)).isNull();
        assertThat(CellParser.date(padded("-infinity "), 1, 10)).isNull();
        assertThat(CellParser.time(padded("24:00:00"), 1, 8)).isNull();
        assertThat(CellParser.time(padded("-838:59:59"), 1, 10)).isNull();
        assertThat(CellParser.time(padded("13:45:00.123456789"), 1, 18))
                .isEqualTo(LocalTime.parse("13:45:00.123456789"));
        assertThat(CellParser.date(padded("2026-11-21"), 1, 10))
                .isEqualTo(LocalDate.of(2026, 11, 21));
    }
}
