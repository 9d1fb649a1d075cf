package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.format.Canonical;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.xml.security.c14n.CanonicalizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Documents with random mistakes: what is read is what the JDK's parser reads, and comes back canonically equal. More
 * of them, and others each time, with {@code -Dpenstock.soak=true}.
 */
class WellFormednessPropertyTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int DOCUMENTS = SOAK ? 50_000 : 4_000;

    private static final List<String> SEEDS =
            List.of(
                    "<?xml version=\"1.0\" encoding='UTF-8' standalone=\"yes\"?><r>x</r>",
                    "<r a='1' b=\"2\"><a/>x<b>y</b></r>",
                    "<p:r xmlns:p='urn:u' xmlns='urn:v' p:a='1' a='2'><a xmlns=''/><p:b xmlns:p='urn:w'/></p:r>",
                    "<!--a--><?p q?><r/><?p?><!---->",
                    "<r><!-- - --><?p ? ?><![CDATA[ ]] > ]]>&lt;&#65;&#x1F600;</r>",
                    "<r a='&quot;&#10;\t'>]]&gt;</r>",
                    "<r>\n  <a>x</a>\r\n  <a/>\r</r>\n",
                    "<a xml:space='preserve' xml:lang='de'> <b/> </a>");

    /**
     * Names of encodings, elements, attributes and instructions that the JDK takes and the productions do not, and a
     * byte order mark, which it does not take before characters.
     */
    private static final Pattern UNCHECKED =
            Pattern.compile(
                    "encoding\\s*=\\s*(['\"])(?![A-Za-z][A-Za-z0-9._-]*\\1)|[</\\s]:|<\\?[^\\s?>]*:|^\ufeff");

    private static final List<String> PIECES =
            List.of(
                    "<",
                    ">",
                    "/",
                    "/>",
                    "</",
                    "&",
                    ";",
                    "]]>",
                    "--",
                    "-",
                    "<!--",
                    "-->",
                    "<?",
                    "?>",
                    "<?xml ",
                    "xml",
                    "XML",
                    "?",
                    "!",
                    "=",
                    "\"",
                    "'",
                    " ",
                    "\t",
                    "\n",
                    "\r",
                    "\u0001",
                    "\u001f",
                    "\u0085",
                    "\u00a0",
                    "\u2028",
                    "\ufeff",
                    "\ufffe",
                    "\uffff",
                    ":",
                    "p:",
                    "q:",
                    "xmlns",
                    " xmlns=''",
                    " xmlns:p=''",
                    " xmlns:q='urn:u'",
                    " xmlns:xml='u'",
                    " xmlns:xmlns='u'",
                    " xmlns:a='http://www.w3.org/XML/1998/namespace'",
                    " xmlns:xml='http://www.w3.org/XML/1998/namespace'",
                    " xmlns='http://www.w3.org/2000/xmlns/'",
                    "xmlns:a",
                    " p:a='3'",
                    " a='3'",
                    "&lt;",
                    "&amp;",
                    "&apos;",
                    "&b;",
                    "&#0;",
                    "&#1;",
                    "&#65;",
                    "&#x41;",
                    "&#xD800;",
                    "&#x110000;",
                    "&#xFFFE;",
                    "&#;",
                    "&#x;",
                    "&#65",
                    "&#x1F600;",
                    "%a;",
                    "<![CDATA[",
                    "<![cdata[",
                    "]]",
                    "[",
                    "]",
                    "a",
                    "r",
                    "1",
                    ".",
                    "\u00b7",
                    "\u00e9",
                    "\ud83d\ude00",
                    "\ud83d",
                    "\ude00",
                    " version='1.0'",
                    " version='1.1'",
                    " encoding='x y'",
                    " encoding='ASCII'",
                    " standalone='no'",
                    "<a>",
                    "</a>",
                    "<a/>",
                    "<r>",
                    "</r>");

    @Test
    void document_withMistakes_isReadWhereTheJdkReadsIt() {
        long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
        Random random = new Random(seed);
        List<String> wrong = new ArrayList<>();
        int read = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            String xml = mutated(random);
            if (xml.contains("version='1.1'") || UNCHECKED.matcher(xml).find()) {
                continue;
            }
            String expected = canonical(xml);
            String actual = roundTrip(xml);
            read += actual == null ? 0 : 1;
            if (!Objects.equals(actual, expected)) {
                wrong.add("%s%n    is   %s%n    by the JDK %s".formatted(xml, actual, expected));
            }
        }
        assertThat(read).isBetween(DOCUMENTS / 10, DOCUMENTS * 9 / 10);
        assertThat(wrong.stream().sorted(Comparator.comparingInt(String::length)).limit(5))
                .as("the shortest of %d wrong documents, seed %d", wrong.size(), seed)
                .isEmpty();
    }

    private static String mutated(Random random) {
        var xml = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int from = random.nextInt(xml.length() + 1);
            int to = Math.min(xml.length(), from + random.nextInt(4));
            switch (random.nextInt(4)) {
                case 0 -> xml.delete(from, to);
                case 1 -> xml.insert(from, xml.substring(from, to));
                case 2 -> xml.replace(from, to, PIECES.get(random.nextInt(PIECES.size())));
                default -> xml.insert(from, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return xml.toString();
    }

    private static @Nullable String canonical(String xml) {
        try {
            return Canonical.ofText(xml);
        } catch (CanonicalizationException e) {
            return "without a canonical form, because it has a relative namespace";
        } catch (Exception e) {
            return null;
        }
    }

    private static @Nullable String roundTrip(String xml) {
        try {
            String json = Converter.exact().toJson(xml);
            return canonical(Converter.exact().toXml(json));
        } catch (DocumentException e) {
            assertThat(e.kind()).as(xml).isEqualTo(DocumentException.Kind.XML);
            assertThat(e).as(xml).hasMessageMatching("(?s).* line \\d+, column \\d+.*");
            return null;
        }
    }
}
