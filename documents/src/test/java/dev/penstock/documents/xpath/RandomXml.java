package dev.penstock.documents.xpath;

import java.util.List;
import java.util.Random;

/** A generator of small documents whose few names and texts meet often. */
final class RandomXml {
    private static final List<String> NAMES = List.of("a", "b", "c", "d.e", "p:a", "p:b");
    private static final List<String> TEXTS = List.of("x", "y", "xy", "1", "2", " ", "x ", "10");
    private static final int MAX_DEPTH = 4;

    private final Random random;

    RandomXml(Random random) {
        this.random = random;
    }

    String document() {
        StringBuilder xml = new StringBuilder();
        element(xml, "r", " xmlns:p='urn:p'", 0);
        return xml.toString();
    }

    private void element(StringBuilder xml, String name, String declarations, int depth) {
        xml.append('<').append(name).append(declarations);
        attributes(xml);
        xml.append('>');
        int children = depth == MAX_DEPTH ? 0 : random.nextInt(depth == 0 ? 5 : 4);
        for (int i = 0; i < children; i++) {
            child(xml, depth);
        }
        xml.append("</").append(name).append('>');
    }

    private void attributes(StringBuilder xml) {
        for (String attribute : List.of("c", "id", "p:c")) {
            if (random.nextInt(4) == 0) {
                xml.append(' ').append(attribute).append("='").append(pick(TEXTS)).append('\'');
            }
        }
    }

    private void child(StringBuilder xml, int depth) {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> xml.append(pick(TEXTS));
            case 3 -> xml.append(random.nextInt(3) == 0 ? "<!--x-->" : "<?x y?>");
            default -> element(xml, pick(NAMES), declarations(), depth + 1);
        }
    }

    private String declarations() {
        return switch (random.nextInt(12)) {
            case 0 -> " xmlns:p='urn:q'";
            case 1 -> " xmlns='urn:p'";
            case 2 -> " xmlns=''";
            default -> "";
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
