package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.format.Canonical;
import dev.penstock.documents.format.RandomXml;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.SAXException;

/** Random documents in the encodings that XML is written in; they come back canonically equal. */
class EncodingsPropertyTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int DOCUMENTS = SOAK ? 2_000 : 20;

    @ParameterizedTest
    @CsvSource({
        "UTF-8, UTF-8, false",
        "UTF-8, utf-8, true",
        "UTF-16, UTF-16, false",
        "UTF-16BE, UTF-16, true",
        "UTF-16LE, UTF-16, true",
        "UTF-16BE, UTF-16BE, false",
        "UTF-16LE, utf-16le, false",
        "ISO-8859-1, iso-8859-1, false",
        "ISO-8859-15, ISO-8859-15, false",
        "US-ASCII, US-ASCII, false",
        "US-ASCII, UTF-8, false",
        "windows-1252, windows-1252, false",
        "Shift_JIS, Shift_JIS, false",
        "EUC-JP, EUC-JP, false",
        "GB18030, GB18030, false",
        "Big5, Big5, false",
        "KOI8-R, KOI8-R, false",
    })
    void document_inAnEncoding_comesBack(String name, String declared, boolean isMarked)
            throws Exception {
        Charset charset = Charset.forName(name);
        long seed = Long.getLong("penstock.seed", new Random().nextLong());
        Converter converter = Converter.of(ConverterOptions.exact().withCdata(true));
        int written = 0;
        for (int i = 0; written < DOCUMENTS; i++) {
            String body = RandomXml.next(new Random(seed + i));
            String root = body.replaceFirst("^<\\?xml.*?\\?>", "");
            String xml =
                    (isMarked ? "\ufeff" : "")
                            + "<?xml version='1.0' encoding='%s'?>".formatted(declared)
                            + withReferences(root, charset.newEncoder());
            byte[] bytes = xml.getBytes(charset);
            String expected;
            try {
                expected = Canonical.of(bytes);
            } catch (SAXException e) {
                continue; // Its names have characters that can't be references.
            }
            written++;
            for (Converter each : new Converter[] {Converter.exact(), converter}) {
                var json = new ByteArrayOutputStream();
                each.toJson(new ByteArrayInputStream(bytes), json);
                var back = new ByteArrayOutputStream();
                each.toXml(new ByteArrayInputStream(json.toByteArray()), back);
                assertThat(Canonical.of(back.toByteArray()))
                        .as("document %d of seed %dL", i, seed)
                        .isEqualTo(expected);
            }
        }
    }

    /** Replaces characters that the encoding lacks by references. */
    private static String withReferences(String xml, CharsetEncoder encoder) {
        StringBuilder written = new StringBuilder();
        xml.codePoints()
                .forEach(c -> {
                    String character = Character.toString(c);
                    written.append(encoder.canEncode(character) ? character : "&#" + c + ";");
                });
        return written.toString();
    }
}
