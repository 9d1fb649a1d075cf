package dev.penstock.documents.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.convert.Converter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lengths on both sides of every buffer and of every size from which on something is large. */
class BufferSizesTest {
    private static final int[] BUFFERS = {
        64, 512, 682, 2_048, 4_000, 4_096, 8_000, 8_192, 32_768, 65_536, 262_144
    };

    static IntStream lengths() {
        return IntStream.of(BUFFERS).flatMap(size -> IntStream.rangeClosed(size - 2, size + 2));
    }

    private static void requireRoundTrip(Converter converter, String xml) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        converter.toJson(new ByteArrayInputStream(bytes), json);
        converter.toXml(new ByteArrayInputStream(json.toByteArray()), back);
        assertThat(back.toString(StandardCharsets.UTF_8).equals(xml))
                .as("document of %,d characters", xml.length())
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void roundTrip_textOfTheLength_isTheSame(int length) {
        requireRoundTrip(Converter.exact(), "<r>" + "x".repeat(length) + "</r>");
        requireRoundTrip(Converter.exact(), "<r>" + "é".repeat(length / 2) + "x</r>");
        requireRoundTrip(Converter.exact(), "<r>x" + "\ud83d\ude00".repeat(length / 4) + "</r>");
        requireRoundTrip(Converter.exact(), "<r>xy" + "\ud83d\ude00".repeat(length / 2) + "</r>");
        requireRoundTrip(Converter.exact(), "<r a=\"" + "x".repeat(length) + "\"/>");
        requireRoundTrip(Converter.exact(), "<r><!--" + "\"\\".repeat(length / 2) + "--></r>");
        requireRoundTrip(
                Converter.exact(), "<r>" + "<a>xé</a><b>&amp;</b>".repeat(length / 20) + "</r>");
    }

    @Test
    void roundTrip_largeElementsInTurns_areTheSame() {
        Converter little =
                Converter.of(
                        ConverterOptions.exact()
                                .withLimits(DocumentLimits.defaults().withMemoryBytes(100_000)));
        String part =
                "<a><x/>" + "y".repeat(100_000) + "</a><b>" + "<c>z</c>".repeat(9_000) + "</b>";
        requireRoundTrip(little, "<r>" + part.repeat(5) + "</r>");
        requireRoundTrip(little, "<r><s>" + part.repeat(3) + "</s>" + part.repeat(3) + "</r>");
        requireRoundTrip(Converter.exact(), "<r><s>" + part.repeat(3) + "</s>" + part + "</r>");
    }

    @Test
    void roundTrip_deepDocument_isTheSame() {
        Converter deep =
                Converter.of(
                        ConverterOptions.exact()
                                .withLimits(DocumentLimits.defaults().withDepth(10_000)));
        requireRoundTrip(deep, "<a>".repeat(9_999) + "<b/>" + "</a>".repeat(9_999));
        String text = "t".repeat(1_000_000);
        requireRoundTrip(deep, "<a><b/>".repeat(5_000) + text + "</a>".repeat(5_000));
    }

    @Test
    void roundTrip_thousandsOfNamesInTurns_areTheSame() {
        StringBuilder xml = new StringBuilder("<r>");
        String large = "<b/><a>" + "x".repeat(70_000) + "</a><b/>";
        for (int i = 0; i < 12_000; i++) {
            int name = i % 3_000;
            String content = i == 4_000 || i == 7_000 ? large : i % 7 == 0 ? "<a>1</a>" : "t" + i;
            xml.append("<name-%d>%s</name-%d>".formatted(name, content, name));
        }
        requireRoundTrip(Converter.exact(), xml.append("</r>").toString());
    }

    @Test
    void toXml_escapedOrderOfLargeDocument_isReadAsOfASmallOne() {
        for (int length : new int[] {1, 300_000}) {
            String order = "\\u00e9 \\u0061*2\\u0020\\u540d\\u0020a";
            String json =
                    "{\"r\":{\"a\":[1,2,3],\"\u00e9\":\"%s\",\"\\u540d\":4,\"#\":\"%s\"}}"
                            .formatted("x".repeat(length), order);
            assertThat(Converter.exact().toXml(json))
                    .isEqualTo(
                            "<r><\u00e9>%s</\u00e9><a>1</a><a>2</a><\u540d>4</\u540d><a>3</a></r>"
                                    .formatted("x".repeat(length)));
        }
    }

    @Test
    void roundTrip_longOrder_isReadInPieces() {
        String part = "<名.名/> <!--c-->".repeat(20_000);
        requireRoundTrip(
                Converter.exact(), "<r>" + part + "<b/>" + "<b/>".repeat(10) + part + "</r>");
    }
}
