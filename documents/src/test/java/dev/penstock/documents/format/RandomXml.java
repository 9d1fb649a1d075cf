package dev.penstock.documents.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random documents: deep, wide, mixed, indented, in namespaces, and with all that XML 1.0 allows. */
public final class RandomXml {
    private static final String[] LOCAL_NAMES = {
        "a",
        "b",
        "c",
        "item",
        "a.b",
        "abcd",
        "é",
        "ab",
        "_",
        "名",
        "x-1",
        "longer.name.with.dots",
        "id",
        "text",
        "doc",
        "xmlish",
        "Z"
    };
    private static final String[] PREFIXES = {"p", "q", "ns.1"};
    private static final String[] TEXTS = {
        "x",
        "Hi ",
        " ",
        "\n",
        "\n  ",
        "\t",
        "&#13;",
        "&amp;",
        "&lt;",
        "]]&gt;",
        "&#9;",
        "&#10;",
        "1",
        "-0",
        "true",
        "null",
        "é",
        "&#x10FFFF;",
        "\ud83d\ude00",
        "\ufffd",
        "\u0085",
        "\u2028",
        "{\"#\":1}",
        "\\",
        "\"",
        "'",
        "#text",
        "~s",
        "  \n ",
        "\u007f",
        "\ud7ff",
        "\ue000"
    };

    private final Random random;
    private final StringBuilder xml = new StringBuilder();
    private final List<String> bound = new ArrayList<>();
    private final String unit;
    private final boolean isIndented;
    private final boolean isMixed;
    private final int width;
    private int left;

    private RandomXml(Random random) {
        this.random = random;
        this.unit = List.of("", " ", "  ", "\t", "    ", " \t").get(random.nextInt(6));
        this.isIndented = random.nextInt(3) == 0;
        this.isMixed = random.nextInt(2) == 0;
        this.width = List.of(1, 2, 4, 20, 200).get(random.nextInt(5));
        this.left = List.of(1, 5, 30, 300, 1_000).get(random.nextInt(5));
    }

    /** The next document. */
    public static String next(Random random) {
        RandomXml document = new RandomXml(random);
        document.document();
        return document.xml.toString();
    }

    private void document() {
        if (random.nextInt(4) == 0) {
            xml.append("<?xml version=\"1.0\"");
            xml.append(random.nextBoolean() ? " encoding=\"UTF-8\"" : "");
            xml.append(random.nextBoolean() ? " standalone='no'" : "").append("?>");
        }
        beside();
        element(0);
        beside();
    }

    private void beside() {
        for (int i = random.nextInt(6) - 3; i > 0; i--) {
            xml.append(random.nextBoolean() ? "\n" : "");
            special();
        }
    }

    private void element(int depth) {
        left--;
        final int scope = bound.size();
        List<String> declared = new ArrayList<>();
        StringBuilder declarations = new StringBuilder();
        if (random.nextInt(6) == 0) {
            String prefix = PREFIXES[random.nextInt(PREFIXES.length)];
            declared.add(prefix);
            declarations.append(" xmlns:%s=\"urn:%d\"".formatted(prefix, random.nextInt(9)));
        }
        if (random.nextInt(10) == 0) {
            declarations.append(
                    random.nextBoolean()
                            ? " xmlns=\"\""
                            : " xmlns=\"urn:%d&amp;\"".formatted(random.nextInt(3)));
        }
        bound.addAll(declared);
        String name = name();
        xml.append('<').append(name);
        boolean first = random.nextBoolean();
        xml.append(first ? declarations : "");
        attributes();
        xml.append(first ? "" : declarations);
        if (random.nextInt(4) == 0) {
            xml.append("/>");
        } else {
            xml.append('>');
            contents(depth);
            xml.append("</").append(name).append(random.nextInt(9) == 0 ? "\n>" : ">");
        }
        bound.subList(scope, bound.size()).clear();
    }

    private String name() {
        String local = LOCAL_NAMES[random.nextInt(LOCAL_NAMES.length)];
        return bound.isEmpty() || random.nextInt(3) > 0
                ? local
                : bound.get(random.nextInt(bound.size())) + ":" + local;
    }

    private void attributes() {
        List<String> used = new ArrayList<>();
        for (int i = random.nextInt(8) - 4; i > 0; i--) {
            String name = LOCAL_NAMES[random.nextInt(LOCAL_NAMES.length)];
            if (!used.contains(name)) {
                used.add(name);
                boolean hasPrefix = !bound.isEmpty() && random.nextInt(3) == 0;
                String prefix = hasPrefix ? bound.get(random.nextInt(bound.size())) + ":" : "";
                String value = text().replace("\"", "&quot;").replace("]]&gt;", ">");
                xml.append(" %s%s=\"%s\"".formatted(prefix, name, value));
            }
        }
        if (random.nextInt(20) == 0) {
            xml.append(" xml:space='preserve'");
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(TEXTS[random.nextInt(TEXTS.length)]);
        }
        if (random.nextInt(200) == 0) {
            text.append("long é\ud83d\ude00 ".repeat(random.nextInt(2_000)));
        }
        return text.toString();
    }

    private void contents(int depth) {
        boolean indented = isIndented && random.nextInt(20) > 0;
        boolean same = random.nextInt(3) == 0;
        int children = depth > 400 ? 0 : random.nextInt(width + 1);
        if (width == 1 && left > 0) {
            children = 1;
        }
        boolean any = false;
        for (int i = 0; i < children && left > 0; i++) {
            if (indented) {
                xml.append('\n').repeat(unit, depth + 1);
            }
            any = true;
            child(depth, same);
        }
        if (!any) {
            xml.append(text());
        } else if (indented) {
            xml.append('\n').repeat(unit, depth);
        }
    }

    private void child(int depth, boolean same) {
        int kind = random.nextInt(20);
        if (kind == 0) {
            special();
        } else if (kind == 1 && isMixed) {
            xml.append("<![CDATA[").append(random.nextBoolean() ? "<&]] >" : "").append("]]>");
        } else if (kind < 8 && isMixed) {
            xml.append(text());
        } else if (same) {
            left--;
            xml.append("<same>").append(text()).append("</same>");
        } else {
            element(depth + 1);
        }
    }

    private void special() {
        if (random.nextBoolean()) {
            xml.append("<!--").append(random.nextBoolean() ? " é - <& " : "").append("-->");
        } else {
            xml.append("<?p").append(random.nextInt(3));
            xml.append(random.nextBoolean() ? " d  <& \ud83d\ude00 " : "").append("?>");
        }
    }
}
