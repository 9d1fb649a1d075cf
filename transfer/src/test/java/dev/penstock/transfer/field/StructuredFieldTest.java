package dev.penstock.transfer.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Structured fields, by the rules of RFC 9651. */
final class StructuredFieldTest {
    private static final int ROUNDS = 20_000;

    private static FieldValue value(String text) throws MalformedFieldException {
        return StructuredField.item(List.of(text)).value();
    }

    @Test
    void item_ofEachType_isRead() throws Exception {
        assertThat(value("0")).isEqualTo(new FieldValue.Whole(0));
        assertThat(value(" -042 ")).isEqualTo(new FieldValue.Whole(-42));
        assertThat(value("999999999999999")).isEqualTo(new FieldValue.Whole(FieldValue.MOST));
        assertThat(value("123456789012.125"))
                .isEqualTo(new FieldValue.Fraction(new BigDecimal("123456789012.125")));
        assertThat(value("\"a\\\"b\\\\c\"")).isEqualTo(new FieldValue.Text("a\"b\\c"));
        assertThat(value("text/html")).isEqualTo(new FieldValue.Token("text/html"));
        assertThat(value("*a:b")).isEqualTo(new FieldValue.Token("*a:b"));
        assertThat(value("?1")).isEqualTo(new FieldValue.Flag(true));
        assertThat(value("?0")).isEqualTo(new FieldValue.Flag(false));
        assertThat(value("@-1659578233")).isEqualTo(new FieldValue.Time(-1_659_578_233));
        assertThat(value("%\"f%c3%bc\"")).isEqualTo(new FieldValue.Display("f\u00fc"));
        assertThat(value(":AQI=:")).isEqualTo(new FieldValue.Bytes(new byte[] {1, 2}));
        assertThat(value(":AQI:")).isEqualTo(new FieldValue.Bytes(new byte[] {1, 2}));
        assertThat(value("::")).isEqualTo(new FieldValue.Bytes(new byte[0]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-",
                "1000000000000000",
                "1.",
                "1.1234",
                "1234567890123.1",
                "1 2",
                "01a,",
                "\"",
                "\"a",
                "\"\\x\"",
                "\"\t\"",
                "?",
                "?2",
                "?1?",
                "@",
                "@1.5",
                ":AQI",
                ":A:",
                ":AQ=I:",
                ":A\u00e9:",
                "%",
                "%a",
                "%\"%C3\"",
                "%\"%c3\"",
                "%\"%4",
                "a;",
                "a;A=1",
                "a;b=",
                "\u00fc",
                "(1 2)",
                "=1",
                "+1",
                "\t1"
            })
    void item_thatIsMalformed_isRefused(String text) {
        assertThatExceptionOfType(MalformedFieldException.class)
                .isThrownBy(() -> value(text))
                .withMessageContaining("at character ");
    }

    @Test
    void item_twice_isRefused() {
        assertThatExceptionOfType(MalformedFieldException.class)
                .isThrownBy(() -> StructuredField.item(List.of("?1", "?1")))
                .withMessage("something behind its end, at character 2");
        assertThatExceptionOfType(MalformedFieldException.class)
                .isThrownBy(() -> StructuredField.item(List.of()));
    }

    @Test
    void dictionary_hasMembersOfAllLines_theLastOfOneNameCounts() throws Exception {
        Map<String, FieldItem> members =
                StructuredField.dictionary(
                        List.of("a=1, b;x;y=tok, a=2", "c=(1 \"t\";q=0.5)  ,\td"));
        assertThat(members).containsOnlyKeys("a", "b", "c", "d");
        assertThat(members).containsEntry("a", FieldItem.of(new FieldValue.Whole(2)));
        assertThat(members.get("b"))
                .isEqualTo(
                        new FieldItem(
                                new FieldValue.Flag(true),
                                Map.of(
                                        "x",
                                        new FieldValue.Flag(true),
                                        "y",
                                        new FieldValue.Token("tok"))));
        assertThat(StructuredField.write(members))
                .isEqualTo("a=2, b;x;y=tok, c=(1 \"t\";q=0.5), d");
        assertThat(StructuredField.dictionary(List.of())).isEmpty();
        assertThat(StructuredField.dictionary(List.of(""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a=1,", "a=1,,b=2", ",a", "a=1 b=2", "A=1", "a=", "a=(1", "a=(1,2)", "1"})
    void dictionary_thatIsMalformed_isRefused(String text) {
        assertThatExceptionOfType(MalformedFieldException.class)
                .isThrownBy(() -> StructuredField.dictionary(List.of(text)));
    }

    @Test
    void list_hasItemsAndInnerLists() throws Exception {
        assertThat(StructuredField.list(List.of("a, (1 2);p", "\"b\"")))
                .containsExactly(
                        FieldItem.of(new FieldValue.Token("a")),
                        new FieldItem(
                                new FieldValue.Inner(
                                        List.of(
                                                FieldItem.of(new FieldValue.Whole(1)),
                                                FieldItem.of(new FieldValue.Whole(2)))),
                                Map.of("p", new FieldValue.Flag(true))),
                        FieldItem.of(new FieldValue.Text("b")));
        assertThatExceptionOfType(MalformedFieldException.class)
                .isThrownBy(() -> StructuredField.list(List.of("a, (1\"x\")")));
    }

    @ParameterizedTest
    @CsvSource({"1.0005,1.0", "1.0015,1.002", "-0.5,-0.5", "12,12.0", "100,100.0"})
    void write_ofADecimal_hasAtMostThreeDigits(String number, String written) {
        FieldValue value = new FieldValue.Fraction(new BigDecimal(number));
        assertThat(StructuredField.write(FieldItem.of(value))).isEqualTo(written);
    }

    @Test
    void write_ofWhatCanNotBeWritten_isRefused() {
        for (FieldValue value :
                List.of(
                        new FieldValue.Whole(FieldValue.MOST + 1),
                        new FieldValue.Time(-FieldValue.MOST - 1),
                        new FieldValue.Fraction(new BigDecimal("1234567890123")),
                        new FieldValue.Text("\u00fc"),
                        new FieldValue.Text("a\r\nb"),
                        new FieldValue.Token(""),
                        new FieldValue.Token("1"),
                        new FieldValue.Token("a b"))) {
            assertThatIllegalArgumentException()
                    .as("%s", value)
                    .isThrownBy(() -> StructuredField.write(FieldItem.of(value)));
        }
        for (String key : List.of("", "A", "1", "a b", "\u00fc")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            StructuredField.write(
                                    Map.of(key, FieldItem.of(new FieldValue.Flag(true)))));
        }
    }

    @Test
    void fieldsAtRandom_thatWereWritten_areReadAsTheyWere() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            RandomField fields = new RandomField(new Random(round));
            String seed = "seed " + round;
            Map<String, FieldItem> dictionary = fields.dictionary();
            assertThat(StructuredField.dictionary(List.of(StructuredField.write(dictionary))))
                    .as(seed)
                    .isEqualTo(dictionary);
            List<FieldItem> list = fields.list();
            assertThat(StructuredField.list(List.of(StructuredField.write(list))))
                    .as(seed)
                    .isEqualTo(list);
            FieldItem item = fields.item();
            assertThat(StructuredField.item(List.of(StructuredField.write(item))))
                    .as(seed)
                    .isEqualTo(item);
        }
    }

    @Test
    void fieldsAtRandom_thatWereDamaged_areRefusedOrReadAsOthers() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            StringBuilder text =
                    new StringBuilder(
                            StructuredField.write(new RandomField(random).dictionary()) + ",");
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(text.length());
                char c = (char) (random.nextInt(20) == 0 ? 0x20ac : random.nextInt(128));
                switch (random.nextInt(3)) {
                    case 0 -> text.insert(at, c);
                    case 1 -> text.setCharAt(at, c);
                    default -> text.setLength(Math.max(1, at));
                }
            }
            String damaged = text.toString();
            try {
                Map<String, FieldItem> read = StructuredField.dictionary(List.of(damaged));
                assertThat(StructuredField.dictionary(List.of(StructuredField.write(read))))
                        .as("seed %d: %s", round, damaged)
                        .isEqualTo(read);
            } catch (MalformedFieldException refused) {
                assertThat(refused.getMessage()).contains("at character ");
            }
        }
    }
}
