package dev.penstock.codegen.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.codegen.Compiled;
import dev.penstock.codegen.Generator;
import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.problem.CodegenException;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavadocTextTest {
    private static final String PIECES =
            "a*/\\u <>&@{}\n\r\t\"#'\0\u0085\u2028\u202e\ufeff\ud83dé顧(),;-";

    @Test
    void wrapped_longText_hasLinesOfAtMost120Columns() {
        String words =
                IntStream.range(0, 200).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        String text = JavadocText.wrapped(" * @param x ", " *     ", words);
        assertThat(text.lines()).allMatch(line -> line.length() <= 120).hasSize(9);
        assertThat(text.replace("\n *    ", "")).isEqualTo(" * @param x " + words);
    }

    @ParameterizedTest
    @ValueSource(ints = {107, 108, 109, 118, 119, 200})
    void wrapped_longWord_isNeverBroken(int length) {
        String word = "x".repeat(length);
        assertThat(JavadocText.wrapped(" * @param x ", " * ", word + " y"))
                .isEqualTo(
                        length > 108
                                ? " * @param x\n * " + word + (length + 5 <= 120 ? " y" : "\n * y")
                                : " * @param x " + word + (length < 107 ? " y" : "\n * y"));
    }

    @Test
    void bounded_longText_isCutBehindACharacter() {
        String limit = "x".repeat(JavadocText.MAX_CHARACTERS);
        assertThat(JavadocText.bounded("  " + limit + "\n")).isEqualTo(limit);
        String cut = JavadocText.bounded("x" + "\ud83d\ude00".repeat(2000));
        assertThat(cut).hasSize(2048).endsWith("\ud83d\ude00…");
        assertThat(JavadocText.bounded("\ud83d\ude00".repeat(2000)))
                .hasSize(2047)
                .endsWith("\ude00…");
        assertThat(JavadocText.bounded(cut)).isEqualTo(cut);
        assertThat(JavadocText.bounded(" \n\u0085 ")).isEmpty();
    }

    /** Whatever a comment says, it compiles with every check of Javadoc, and the schema file gives it back. */
    @Test
    void files_randomComments_compileAndStayTheSame() {
        long seed = 20261123;
        Random random = new Random(seed);
        StringBuilder schema = new StringBuilder("penstock-schema: 2\ntables:\n");
        for (int table = 0; table < 40; table++) {
            schema.append("  t" + table + ":\n    " + comment(random) + "\n    columns:\n");
            for (int column = 0; column < (table == 0 ? 300 : 5); column++) {
                schema.append("      c" + column + ": {type: int, " + comment(random) + "}\n");
            }
        }
        SchemaFile parsed = SchemaFile.parse(schema.toString(), "seed " + seed);
        var files = new Generator(parsed, "com.example").files();
        Compiled.of(files, "com.example").load();
        SchemaFile again = SchemaFile.parse(parsed.text(), "again");
        assertThat(again.text()).isEqualTo(parsed.text());
        assertThat(new Generator(again, "com.example").files()).isEqualTo(files);
    }

    private static String comment(Random random) {
        StringBuilder text = new StringBuilder("comment: \"");
        for (int left = random.nextInt(300); left > 0; left--) {
            char c = PIECES.charAt(random.nextInt(PIECES.length()));
            text.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
        }
        return text.append('"').toString();
    }

    @Test
    void parse_comment_isAnyText() {
        String text =
                """
                penstock-schema: 2
                tables:
                  comment:
                    comment: "of the table"
                    columns:
                      comment: {type: text, comment: "of the # column"}
                      other: {type: text, enum: [comment], comment: of the enum}
                    key: comment
                """;
        assertThat(SchemaFile.parse(text, "test").text())
                .contains(
                        "  comment:\n    as: Comment\n    comment: of the table\n",
                        " comment: \"of the # column\"}\n",
                        " comment: of the enum}\n");
        assertThatThrownBy(() -> SchemaFile.parse(text.replace("of the enum", "[words]"), "f"))
                .isInstanceOf(CodegenException.class)
                .hasMessage("f, line 7, column 53: expected the comment, found a list");
    }

    /** The database's word on it counts, as on types. */
    @Test
    void choices_newComment_replacesTheOldOne() {
        SchemaFile old =
                SchemaFile.parse(
                        "penstock-schema: 2\ntables: {t: {as: A, columns: {c: {type: int, comment: old}}}}",
                        "f");
        SchemaFile fresh =
                SchemaFile.parse(
                        "penstock-schema: 2\ntables: {t: {comment: t, columns: {c: {type: int, comment: new}}}}",
                        "f");
        assertThat(fresh.withChoicesOf(old).text())
                .contains("as: A\n    comment: t\n", "comment: new}")
                .doesNotContain("old");
    }
}
