package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.DocumentLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of conversions: which is named, and that reading ends in bounded time. */
@Timeout(60)
class ConverterLimitsTest {
    private static final DocumentLimits DEFAULTS = DocumentLimits.defaults();

    /** A text, then another again and again without end. */
    private static final class Endless extends InputStream {
        private final byte[] start;
        private final byte[] repeated;
        private long position;

        Endless(String start, String repeated) {
            this.start = start.getBytes(StandardCharsets.US_ASCII);
            this.repeated = repeated.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public int read(byte[] bytes, int offset, int count) {
            for (int i = 0; i < count; i++) {
                bytes[offset + i] = (byte) read();
            }
            return count;
        }

        @Override
        public int read() {
            long at = position++;
            return at < start.length
                    ? start[(int) at]
                    : repeated[(int) ((at - start.length) % repeated.length)];
        }
    }

    private static void requireLimit(Converter converter, InputStream xml, String name) {
        assertThatThrownBy(() -> converter.toJson(xml, OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageContaining("the limit " + name + " of ");
    }

    private static Converter limited(DocumentLimits limits) {
        return Converter.of(ConverterOptions.exact().withLimits(limits));
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void toJson_levelsWithoutEnd_areRefused() {
        requireLimit(Converter.exact(), new Endless("<r>", "<a>"), "depth");
        assertThatThrownBy(() -> Converter.x2j("<a>".repeat(100_000)))
                .hasMessage(
                        "Can't read the XML document: more than the limit depth of 5,000 allows;"
                                + " raise it or nest less deeply");
    }

    @Test
    void toJson_millionAttributes_areRefused() {
        StringBuilder xml = new StringBuilder("<r");
        IntStream.range(0, 1_000_000).forEach(i -> xml.append(" a").append(i).append("='1'"));
        requireLimit(Converter.exact(), stream(xml.append("/>").toString()), "attributes");
        requireLimit(
                Converter.exact(),
                stream(xml.toString().replace(" a", " xmlns:a").replace("'1'", "'u'")),
                "attributes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<", "<r ", "<p:", "</", "<r><?"})
    void toJson_nameWithoutEnd_isRefused(String start) {
        DocumentLimits limits = DEFAULTS.withTextLength(100_000);
        assertThatThrownBy(() ->
                        limited(limits)
                                .toJson(new Endless(start, "a"), OutputStream.nullOutputStream()))
                .isInstanceOf(DocumentException.class);
    }

    @Test
    void toJson_nameOfMegabyte_isRefused() {
        String name = "n".repeat(1_000_000);
        requireLimit(Converter.exact(), stream("<" + name + "/>"), "nameLength");
        requireLimit(Converter.exact(), stream("<r " + name + "='1'/>"), "nameLength");
        requireLimit(Converter.exact(), stream("<r xmlns:" + name + "='1'/>"), "nameLength");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<r>", "<r><!--", "<r><?p ", "<r a='", "<r><![CDATA[", "<!--"})
    void toJson_textWithoutEnd_isRefused(String start) {
        requireLimit(
                limited(DEFAULTS.withTextLength(100_000)), new Endless(start, "x"), "textLength");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE r><r/>",
                "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>",
                "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r>&x;</r>",
                "<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><r>&b;</r>"
            })
    void toJson_documentTypeDeclaration_isRefused(String xml) {
        requireLimit(Converter.exact(), stream(xml), "skipsDoctype");
        assertThatThrownBy(() -> Converter.x2j(xml))
                .hasMessage(
                        "Can't read the XML document: the limit skipsDoctype of false allows no"
                                + " document type declaration, and there is one at line 1, column 1;"
                                + " remove it, or let it be skipped");
    }

    @Test
    void toJson_documentTypeDeclarationWithoutEnd_isRefusedAtOnce() {
        requireLimit(
                Converter.exact(), new Endless("<!DOCTYPE r [", "<!ENTITY x 'y'>"), "skipsDoctype");
    }

    @Test
    void toJson_skippedDoctype_readsNothingOfIt() {
        Converter skipping = Converter.of(ConverterOptions.exact().withSkippedDoctype(true));
        assertThat(skipping.toJson("<!DOCTYPE r [<!ENTITY a 'x'>]><r>y</r>"))
                .isEqualTo("{\"r\":\"y\"}");
        assertThatThrownBy(() -> skipping.toJson("<!DOCTYPE r [<!ENTITY a 'x'>]><r>&a;</r>"))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML));
    }

    @Test
    void toJson_undeclaredEntity_isAnError() {
        assertThatThrownBy(() -> Converter.x2j("<r>&nbsp;</r>"))
                .hasMessageContaining("line 1, column ")
                .hasMessageContaining("nbsp");
    }

    @Test
    void toJson_moreBytesThanAllowed_areRefused() {
        requireLimit(
                limited(DEFAULTS.withTotalBytes(100_000)),
                new Endless("<r>", "<a/>"),
                "totalBytes");
        assertThat(limited(DEFAULTS.withTotalBytes(4)).toJson("<r/>")).isEqualTo("{\"r\":null}");
    }

    @Test
    void toJson_moreThanTheTemporaryFileMayHold_isRefused() throws IOException {
        Set<Path> before = temporaryFiles();
        DocumentLimits limits = DEFAULTS.withMemoryBytes(100_000).withTemporaryBytes(1_000_000);
        requireLimit(limited(limits), new Endless("<r>", "<a/><b/>"), "temporaryBytes");
        requireGone(before);
    }

    @Test
    void toJson_moreNamesThanAllowed_areRefused() {
        StringBuilder xml = new StringBuilder("<r>");
        IntStream.range(0, 30_000).forEach(i -> xml.append("<a").append(i).append("/>"));
        requireLimit(Converter.exact(), stream(xml + "</r>"), "distinctNames");
        requireLimit(
                limited(DEFAULTS.withDistinctNames(100_000).withMemoryBytes(1_000_000)),
                stream(xml + "</r>"),
                "memoryBytes");
    }

    @Test
    void toJson_limitsReachedExactly_areAllowed() {
        DocumentLimits limits =
                DEFAULTS.withDepth(2).withAttributes(1).withNameLength(3).withTextLength(4);
        Converter limited = limited(limits);
        String xml = "<abc a=\"1234\"><abc>1234</abc></abc>";
        String json = limited.toJson(xml);
        assertThat(limited.toXml(json)).isEqualTo(xml);
        requireLimit(limited, stream("<a><a><a/></a></a>"), "depth");
        requireLimit(limited, stream("<abcd/>"), "nameLength");
        requireLimit(limited, stream("<a a='1' b='2'/>"), "attributes");
        requireLimit(limited, stream("<a a='1' xmlns='u'/>"), "attributes");
        requireLimit(limited, stream("<a xmlns:a='u' xmlns='u'/>"), "attributes");
        requireLimit(limited, stream("<a a='12345'/>"), "textLength");
        requireLimit(limited, stream("<a>12345</a>"), "textLength");
        requireLimit(limited, stream("<a><!--12345--></a>"), "textLength");
        requireRefused(limited, "{\"a\":{\"a\":{\"a\":null}}}", "depth");
        requireRefused(limited, "{\"abcd\":null}", "nameLength");
        requireRefused(limited, "{\"a\":{\"@a\":\"1\",\"@b\":\"1\"}}", "attributes");
        requireRefused(limited, "{\"a\":\"12345\"}", "textLength");
        requireRefused(limited, "{\"a\":{\"@a\":\"12345\"}}", "textLength");
        requireRefused(limited, "{\"a\":{\"#comment\":\"12345\"}}", "textLength");
        requireRefused(limited, "{\"a\":{\"#cdata\":\"12345\"}}", "textLength");
        requireRefused(limited, "{\"a\":{\"#pi\":\"p 1234\"}}", "textLength");
        requireRefused(limited, "{\"a\":{\"#text\":[\"123\",\"45\"]}}", "textLength");
        requireRefused(limited, "{\"a\":" + "[".repeat(1_000), "depth");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a><?pi 12?></a>",
                "<a><b/><a/><b/></a>",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>",
            })
    void toXml_formatNeedsMoreThanTheLongestText_comesBack(String xml) {
        Converter limited = limited(DEFAULTS.withTextLength(4));
        assertThat(limited.toXml(limited.toJson(xml))).isEqualTo(xml);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1", "{\"r\":[[1", "{\"r\":{\"#text\":[[1"})
    void toXml_arrayThatIsNoElement_isNotReadIntoMemory(String start) {
        String end = start.substring(0, start.length() - 1).replaceAll("[^\\[{]", "");
        String closed =
                new StringBuilder(end.replace('[', ']').replace('{', '}')).reverse().toString();
        InputStream json =
                new SequenceInputStream(
                        new SequenceInputStream(
                                stream(start), new Repeated(",1".repeat(1_000), 20_000)),
                        stream(closed));
        assertThatThrownBy(() -> Converter.exact().toXml(json, OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.JSON));
    }

    /** A text so many times. */
    private static final class Repeated extends InputStream {
        private final byte[] part;
        private long left;

        Repeated(String part, int times) {
            this.part = part.getBytes(StandardCharsets.US_ASCII);
            left = (long) this.part.length * times;
        }

        @Override
        public int read() {
            return left == 0
                    ? -1
                    : part[(int) ((part.length - left-- % part.length) % part.length)];
        }

        @Override
        public int read(byte[] bytes, int offset, int count) {
            int read = (int) Math.min(count, left);
            for (int i = 0; i < read; i++) {
                bytes[offset + i] = (byte) read();
            }
            return read == 0 && count > 0 ? -1 : read;
        }
    }

    private static void requireRefused(Converter converter, String json, String name) {
        assertThatThrownBy(() -> converter.toXml(json))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageContaining("the limit " + name + " of ");
    }

    @Test
    void toXml_deepAndLong_isRefusedInBoundedTime() {
        Converter exact = Converter.exact();
        requireRefused(exact, "{\"a\":".repeat(100_000), "depth");
        requireRefused(exact, "{\"" + "n".repeat(1_000_000) + "\":null}", "nameLength");
        requireRefused(exact, "{\"a\":\"" + "x".repeat(17_000_000) + "\"}", "textLength");
        requireRefused(limited(DEFAULTS.withTotalBytes(10)), "{\"a\":\"123\"}", "totalBytes");
        Converter names = limited(DEFAULTS.withDistinctNames(2));
        assertThat(names.toXml("{\"a\":{\"b\":[1,1],\"@a\":1}}")).endsWith("</a>");
        requireRefused(names, "{\"a\":{\"b\":1,\"@c\":1}}", "distinctNames");
        requireRefused(names, "{\"a\":{\"b\":{\"c\":1}}}", "distinctNames");
        String key = "k".repeat(900);
        String long20000 =
                IntStream.range(0, 20_000)
                        .mapToObj(i -> "\"" + key + i + "\":1")
                        .collect(Collectors.joining(",", "{\"a\":{", "}}"));
        requireRefused(exact, long20000, "memoryBytes");
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        assertThatThrownBy(() ->
                        limited(DEFAULTS.withTotalBytes(1_000_000))
                                .toXml(new Endless("{\"r\":[", "1,"), xml))
                .hasMessageContaining("the limit totalBytes of 1,000,000 allows");
    }

    @Test
    void limits_outOfRange_areRefused() {
        assertThatThrownBy(() -> DEFAULTS.withDepth(0))
                .hasMessage("Can't take depth 0 as a limit; it must be 1 to 10000");
    }

    @Test
    void conversion_streamFails_isAnErrorOfInputOrOutput() throws IOException {
        Set<Path> before = temporaryFiles();
        InputStream failing =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("it is broken");
                    }

                    @Override
                    public int read(byte[] bytes, int offset, int count) throws IOException {
                        throw new IOException("it is broken");
                    }
                };
        assertThatThrownBy(() -> Converter.exact().toJson(failing, OutputStream.nullOutputStream()))
                .hasMessage("Can't read the document: it is broken");
        assertThatThrownBy(() -> Converter.exact().toXml(failing, OutputStream.nullOutputStream()))
                .hasMessage("Can't read the document: it is broken");
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("it is full");
                    }
                };
        assertThatThrownBy(() -> Converter.exact().toJson(stream("<r/>"), full))
                .hasMessage("Can't write the document: it is full");
        assertThatThrownBy(() -> Converter.exact().toXml(stream("{\"r\":1}"), full))
                .hasMessage("Can't write the document: it is full");
        requireGone(before);
    }

    /** Requires that no file stays that has come since; those of other processes come and go. */
    private static void requireGone(Set<Path> before) throws IOException {
        Set<Path> left = temporaryFiles();
        left.removeAll(before);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!left.isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
            left.retainAll(temporaryFiles());
        }
        assertThat(left).isEmpty();
    }

    private static Set<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(
                            each -> each.getFileName().toString().startsWith("penstock-document-"))
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }

    /** Few letters of JSON would become gigabytes of XML. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"#\":\"r\",\"r\":{\"#\":\"~s1000000 a ~s1000000 a ~s1000000 a\",\"a\":[null,null,null]}}",
                "{\"#indent\":\"s1000\",\"r\":{\"#\":\"~ a*9000\",\"a\":[%s null]}}"
            })
    void whiteSpace_thatJsonStandsFor_isLimited(String json) {
        Converter converter =
                Converter.of(
                        ConverterOptions.exact().withLimits(DEFAULTS.withTotalBytes(2_000_000)));
        String many = json.formatted("null,".repeat(8_999));
        assertThatThrownBy(() -> converter.toXml(many))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageContaining("limit totalBytes of 2,000,000")
                .hasMessageContaining("white space");
    }
}
