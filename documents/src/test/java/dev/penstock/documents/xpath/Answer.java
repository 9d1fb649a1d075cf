package dev.penstock.documents.xpath;

import java.util.ArrayList;
import java.util.List;

/** An answer to an expression as text that tests compare: nodes by kind, name, value and place,
 * which is the number of each ancestor-or-self among its siblings, and of an attribute that of its element. */
final class Answer {
    private Answer() {}

    static String of(XPathResult result) {
        return switch (result) {
            case XPathResult.Bool bool -> bool(bool.value());
            case XPathResult.Num num -> number(num.value());
            case XPathResult.Text text -> text(text.value());
            case XPathResult.Nodes nodes ->
                    nodes(
                            nodes.nodes().stream()
                                    .map(n ->
                                            node(
                                                    n.kind(),
                                                    n.name(),
                                                    n.namespace(),
                                                    n.text(),
                                                    n.place()))
                                    .toList());
        };
    }

    static String bool(boolean value) {
        return "boolean " + value;
    }

    /** Zero is zero: oracles differ in its sign, which only a division shows. */
    static String number(double value) {
        return "number " + (value == 0 ? 0.0 : value);
    }

    static String text(String value) {
        return "string '" + visible(value) + "'";
    }

    static String nodes(List<String> nodes) {
        return "nodes " + nodes;
    }

    static String node(NodeKind kind, String name, String namespace, String text, String place) {
        List<String> parts = new ArrayList<>();
        parts.add(kind.name());
        if (!name.isEmpty()) {
            parts.add(namespace.isEmpty() ? name : name + " in " + namespace);
        }
        parts.add("'" + visible(text) + "'");
        parts.add("at " + place);
        return String.join(" ", parts);
    }

    /** Escapes what would break a line, and halves of surrogate pairs, which a wrong oracle makes. */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder();
        text.codePoints()
                .forEach(c -> {
                    switch (c) {
                        case '\\' -> visible.append("\\\\");
                        case '\n' -> visible.append("\\n");
                        case '\t' -> visible.append("\\t");
                        default -> {
                            if (c >= 0xD800 && c <= 0xDFFF) {
                                visible.append("\\u").append(Integer.toHexString(c));
                            } else {
                                visible.appendCodePoint(c);
                            }
                        }
                    }
                });
        return visible.toString();
    }
}
