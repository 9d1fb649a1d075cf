package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents that are larger than the memory of the JVM that converts them. */
@Timeout(1_200)
class ConverterMemoryIT {
    private static final long SIZE = Boolean.getBoolean("penstock.soak") ? 1L << 30 : 70_000_000;

    @TempDir Path directory;

    /** A kind of large document. */
    enum Kind {
        /** Two elements in turns: neither array can be finished before the end. */
        INTERLEAVED("<r>", "<a/><b/>", "</r>"),
        /** Records below the root element. */
        RECORDS("<r>", "<item id=\"1\"><a>some text</a><b>2 &lt; 3</b><a>more</a></item>", "</r>"),
        /** Records deeper down, so that the path to them is not known to be the only one. */
        NESTED("<r><head/><list x=\"y\">\n", "<item><b/><a>t</a></item>\n", "</list><tail/>\n</r>"),
        /** One long chain of mixed content. */
        MIXED("<r>", "text <b>bold</b><!--c--> ", "</r>");

        private final String start;
        private final String repeated;
        private final String end;

        Kind(String start, String repeated, String end) {
            this.start = start;
            this.repeated = repeated;
            this.end = end;
        }

        void write(Path file) throws IOException {
            byte[] bytes = repeated.getBytes(StandardCharsets.UTF_8);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 65_536)) {
                out.write(start.getBytes(StandardCharsets.UTF_8));
                for (long written = 0; written < SIZE; written += bytes.length) {
                    out.write(bytes);
                }
                out.write(end.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** The process: converts a file to JSON and the JSON back to XML. */
    static final class Conversion {
        private Conversion() {}

        public static void main(String[] arguments) throws IOException {
            Path xml = Path.of(arguments[0]);
            Path json = Path.of(arguments[1]);
            Path back = Path.of(arguments[2]);
            try (InputStream in = Files.newInputStream(xml);
                    OutputStream out = Files.newOutputStream(json)) {
                Converter.exact().toJson(in, out);
            }
            try (InputStream in = Files.newInputStream(json);
                    OutputStream out = Files.newOutputStream(back)) {
                Converter.exact().toXml(in, out);
            }
        }
    }

    static Stream<Kind> kinds() {
        return SIZE > 1_000_000_000
                ? Stream.of(Kind.values())
                : Stream.of(Kind.INTERLEAVED, Kind.NESTED);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void roundTrip_documentLargerThanTheHeap_isTheSame(Kind kind) throws Exception {
        Path xml = directory.resolve("in.xml");
        Path back = directory.resolve("back.xml");
        kind.write(xml);
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-Djava.io.tmpdir=" + directory,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Conversion.class.getName(),
                                xml.toString(),
                                directory.resolve("document.json").toString(),
                                back.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        assertThat(Files.mismatch(xml, back)).isEqualTo(-1);
        try (var left = Files.list(directory)) {
            assertThat(List.copyOf(left.map(each -> each.getFileName().toString()).toList()))
                    .containsExactlyInAnyOrder("in.xml", "document.json", "back.xml");
        }
    }
}
