package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that convert XML to JSON and back. */
@Tag("any-loops")
class ConvertIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String XML =
            "<?xml version=\"1.0\"?><r><b/><!--c--><a>1</a><b n=\"2\">Ä &amp; ü</b></r>";

    @TempDir private Path folder;

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) throws Exception {
        try (PenstockProcess process = PenstockProcess.start("64m", Map.of(), List.of(arguments))) {
            int code = process.exitCode(LIMIT);
            return new Run(code, process.out(), process.err());
        }
    }

    private String file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void x2j_andJ2x_giveTheDocumentBack() throws Exception {
        Run json = run("x2j", file("r.xml", XML));
        assertThat(json.code()).as(json.err()).isZero();
        assertThat(json.out())
                .isEqualTo(
                        "{\"#xml\":{\"version\":\"1.0\"},\"r\":{\"b\":[null,{\"@n\":\"2\",\"#text\":\"Ä & ü\"}],"
                                + "\"#comment\":\"c\",\"a\":\"1\",\"#\":\"b #comment a b\"}}");
        Run xml = run("j2x", file("r.json", json.out()));
        assertThat(xml.code()).as(xml.err()).isZero();
        assertThat(xml.out()).contains("<r><b/><!--c--><a>1</a><b n=\"2\">Ä &amp; ü</b></r>");
    }

    @Test
    void x2j_inThePlainProfile_isEasyToRead() throws Exception {
        Run json = run("x2j", "--profile", "plain", file("r.xml", XML));
        assertThat(json.code()).as(json.err()).isZero();
        assertThat(json.out())
                .isEqualTo("{\"r\":{\"b\":[null,{\"@n\":\"2\",\"#text\":\"Ä & ü\"}],\"a\":\"1\"}}");
    }

    @Test
    void j2x_ofKeysInAnotherOrder_takesTheOrderOfTheFormat() throws Exception {
        Run xml =
                run("j2x", "--profile=exact", file("r.json", "{\"r\":{\"bb\":\"2\",\"a\":\"1\"}}"));
        assertThat(xml.out()).contains("<r><a>1</a><bb>2</bb></r>");
    }

    @Test
    void x2j_ofWhatIsNotWellFormed_saysWhere() throws Exception {
        Run wrong = run("x2j", file("r.xml", "<r>\n<a></b></r>"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("r.xml").contains("line 2, column");
    }

    @Test
    void x2j_ofNoFile_saysWhatToDo() throws Exception {
        Run wrong = run("x2j", folder.resolve("none.xml").toString());
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("none.xml").contains("standard input");
    }
}
