package dev.penstock.documents.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Sizes;
import dev.penstock.documents.json.JsonToNodes;
import dev.penstock.documents.json.NodesToXml;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Random documents that must be canonically the same after the way to JSON and back. */
class RoundTripPropertyTest {
    private static final int DOCUMENTS = Integer.getInteger("penstock.documents", 250);
    private static final Sizes SMALL = new Sizes(40, 1, 60);

    @Test
    void roundTrip_randomDocument_isCanonicallyEqual() throws Exception {
        long seed = Long.getLong("penstock.seed", new Random().nextLong());
        for (int i = 0; i < DOCUMENTS; i++) {
            String xml = RandomXml.next(new Random(seed + i));
            try {
                requireRoundTrips(xml, new Random(seed + i));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "Document %d of seed %d (-Dpenstock.seed=%d): %s in %s"
                                .formatted(
                                        i,
                                        seed,
                                        seed + i,
                                        e.getMessage(),
                                        xml.substring(0, Math.min(2_000, xml.length()))),
                        e);
            }
        }
    }

    private static void requireRoundTrips(String xml, Random random) throws Exception {
        String canonical = Canonical.of(xml);
        ConverterOptions exact = ConverterOptions.exact();
        ConverterOptions varied =
                exact.withTypedValues(random.nextBoolean())
                        .withCdata(random.nextBoolean())
                        .withLimits(DocumentLimits.defaults().withMemoryBytes(2_000_000));
        requireRoundTrips(xml, canonical, exact, Sizes.DEFAULTS, random);
        requireRoundTrips(xml, canonical, varied, SMALL, random);
    }

    private static void requireRoundTrips(
            String xml, String canonical, ConverterOptions options, Sizes sizes, Random random)
            throws Exception {
        byte[] json = json(xml, options, sizes);
        JsonToNodes reading = new JsonToNodes(options, sizes);
        assertThat(Canonical.of(xml(json, reading))).isEqualTo(canonical);
        JsonToNodes plain =
                new JsonToNodes(options.withProfile(dev.penstock.documents.Profile.PLAIN), sizes);
        assertThat(Canonical.of(xml(json, plain))).isEqualTo(canonical);
        List<Consumer<List<String>>> orders =
                List.of(
                        keys -> Collections.shuffle(keys, random),
                        Collections::reverse,
                        keys ->
                                keys.sort(
                                        Comparator.comparingInt(RoundTripPropertyTest::bytes)
                                                .thenComparing(Comparator.naturalOrder())));
        for (Consumer<List<String>> order : orders) {
            byte[] stored = JsonText.reordered(json, order);
            if (options.typedValues()) {
                assertThat(stored.length).isPositive();
            }
            assertThat(Canonical.of(xml(stored, reading))).isEqualTo(canonical);
        }
    }

    private static int bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8).length;
    }

    private static byte[] json(String xml, ConverterOptions options, Sizes sizes) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        new XmlToJson(options, sizes).convert(new ByteArrayInputStream(bytes), json);
        return json.toByteArray();
    }

    private static byte[] xml(byte[] json, JsonToNodes reading) {
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        NodesToXml nodes = new NodesToXml(xml);
        reading.read(new ByteArrayInputStream(json), nodes);
        nodes.finish();
        return xml.toByteArray();
    }
}
