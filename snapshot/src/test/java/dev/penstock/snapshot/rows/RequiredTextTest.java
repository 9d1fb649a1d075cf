package dev.penstock.snapshot.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequiredTextTest {
    private static final int EXPRESSIONS = 30_000;
    private static final String[] PIECES = {
        "a", "b", "ab", "ba", "aab", ".", "*", "+", "?", "|", "(", ")", "(?:", "(?i)", "(?=", "[",
        "]", "[^", "[ab]", "[^a]", "{2}", "{0,1}", "\\", "\\a", "\\b", "\\w", "\\Q", "\\E", "\\.",
        "\\1", "\\c", "^", "$", "&&", "-", "\\x61"
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "abc abc",
                ".*abc.* abc",
                "ab.cde cde",
                "abc* ab",
                "abc+d abc",
                "a(bc)def def",
                "(a|b)cd cd",
                "[a-c]de de",
                "a\\.b a.b",
                "a\\db a",
                "ab{2}c a",
                "abcd?efgh efgh",
                "a[b\\]]cd cd",
                "(a[)]b)cd cd",
                "ab*?cd cd"
            })
    void of_expressionThatIsRead_isTheLongestOfItsCharacters(String expression, String required) {
        assertThat(RequiredText.of(Pattern.compile(expression))).isEqualTo(required);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "a|b",
                "abc|d",
                "(?i)abc",
                "\\Qabc\\E",
                "a\\x61",
                "(?x)ab",
                "(a)\\1b",
                "[]a]bc",
                "ab(?=cd)ef",
                "\\p{L}ab",
                "(\\c)abc(\\c())?",
                "[\\c]abc[\\c[a]]*"
            })
    void of_expressionThatIsNotRead_isNone(String expression) {
        assertThat(RequiredText.of(Pattern.compile(expression))).isEmpty();
    }

    @Test
    void of_flagsThatChangeWhatCharactersMean_isNone() {
        for (int flags :
                new int[] {
                    Pattern.CASE_INSENSITIVE, Pattern.COMMENTS, Pattern.LITERAL, Pattern.CANON_EQ
                }) {
            assertThat(RequiredText.of(Pattern.compile("abc", flags))).isEmpty();
        }
        assertThat(RequiredText.of(Pattern.compile("a.bc", Pattern.DOTALL))).isEqualTo("bc");
    }

    @Test
    void of_randomExpressions_isInAllThatMatches() {
        List<String> texts = texts();
        Random random = new Random(1);
        int read = 0;
        int matched = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            StringBuilder expression = new StringBuilder();
            for (int piece = 1 + random.nextInt(7); piece > 0; piece--) {
                expression.append(PIECES[random.nextInt(PIECES.length)]);
            }
            Pattern pattern;
            try {
                pattern = Pattern.compile(expression.toString());
            } catch (PatternSyntaxException e) {
                continue;
            }
            String required = RequiredText.of(pattern);
            if (required.isEmpty()) {
                continue;
            }
            read++;
            for (String text : texts) {
                if (pattern.matcher(text).matches()) {
                    matched++;
                    assertThat(text).as("%s requires \"%s\"", pattern, required).contains(required);
                }
            }
        }
        assertThat(read).isGreaterThan(EXPRESSIONS / 20);
        assertThat(matched).isGreaterThan(EXPRESSIONS / 20);
    }

    /** All texts of up to five of some characters. */
    private static List<String> texts() {
        List<String> texts = new ArrayList<>(List.of(""));
        for (int from = 0, length = 1; length <= 5; length++) {
            int end = texts.size();
            for (; from < end; from++) {
                for (String next : List.of("a", "b", ".")) {
                    texts.add(texts.get(from) + next);
                }
            }
        }
        return texts;
    }
}
