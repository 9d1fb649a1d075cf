package dev.penstock.documents.xpath;

import java.util.List;
import java.util.Random;

/**
 * A generator of small documents of two element names, of which one is of leaves only, and of conditions on them: most
 * can be asked of a store, and are often met by different nodes of one document.
 */
final class RandomConditions {
    private static final List<String> NAMES = List.of("a", "b");
    private static final List<String> TEXTS = List.of("x", "y");
    private static final List<String> ATTRIBUTES = List.of("c", "d");
    private static final int MAX_DEPTH = 3;

    private final Random random;

    RandomConditions(Random random) {
        this.random = random;
    }

    String document() {
        StringBuilder xml = new StringBuilder();
        element(xml, "r", 0);
        return xml.toString();
    }

    private void element(StringBuilder xml, String name, int depth) {
        xml.append('<').append(name);
        for (String attribute : ATTRIBUTES) {
            if (random.nextInt(3) == 0) {
                xml.append(' ').append(attribute).append("='").append(pick(TEXTS)).append('\'');
            }
        }
        xml.append('>');
        if (name.equals("b")) {
            leaf(xml);
        } else {
            for (int i = random.nextInt(4); i > 0; i--) {
                element(xml, depth == MAX_DEPTH ? "b" : pick(NAMES), depth + 1);
            }
        }
        xml.append("</").append(name).append('>');
    }

    private void leaf(StringBuilder xml) {
        xml.append(
                switch (random.nextInt(80)) {
                    case 0 -> "x<!--y-->y";
                    case 1 -> " <?x y?>";
                    case 2 -> "<!--x-->";
                    case 3, 4, 5, 6, 7, 8 -> "";
                    default -> pick(TEXTS);
                });
    }

    String expression() {
        return switch (random.nextInt(6)) {
            case 0 -> condition(2, "/r/");
            case 1 -> absolute() + "[" + condition(1, "") + "]/" + pick(NAMES);
            case 2 -> absolute() + "[" + condition(0, "") + "][" + condition(0, "") + "]";
            case 3 ->
                    absolute()
                            + "["
                            + condition(0, "")
                            + "]/"
                            + pick(NAMES)
                            + "["
                            + condition(0, "")
                            + "]";
            case 4 -> absolute() + " = '" + pick(TEXTS) + "'";
            default -> absolute() + "[" + condition(2, "") + "]";
        };
    }

    private String absolute() {
        return switch (random.nextInt(6)) {
            case 0 -> "/r";
            case 1 -> "//" + pick(NAMES);
            case 2 -> "/r/" + pick(NAMES) + "/" + pick(NAMES);
            case 3 -> "/r//" + pick(NAMES);
            case 4 -> "//@c";
            default -> "/r/" + pick(NAMES);
        };
    }

    private String condition(int depth, String from) {
        String operand = from + relative(from.isEmpty());
        String text = random.nextInt(8) == 0 ? "''" : "'" + pick(TEXTS) + "'";
        return switch (random.nextInt(depth > 0 ? 11 : 6)) {
            case 0 -> operand;
            case 1 -> "contains(" + operand + ", " + text + ")";
            case 2 ->
                    "boolean(" + operand + ") " + (random.nextBoolean() ? "=" : "!=") + " false()";
            case 6, 7 -> "not(" + condition(depth - 1, from) + ")";
            case 8, 9 ->
                    "(" + condition(depth - 1, from) + " and " + condition(depth - 1, from) + ")";
            case 10 -> "(" + condition(depth - 1, from) + " or " + condition(depth - 1, from) + ")";
            default -> operand + " = " + text;
        };
    }

    private String relative(boolean mayBeSelf) {
        if (mayBeSelf && random.nextBoolean()) {
            return "@" + pick(ATTRIBUTES);
        }
        return switch (random.nextInt(mayBeSelf ? 10 : 7)) {
            case 0, 5 -> "@" + pick(ATTRIBUTES);
            case 1 -> pick(NAMES) + "/" + pick(NAMES);
            case 2 -> pick(NAMES) + "/@c";
            case 3 -> pick(NAMES) + "[" + condition(0, "") + "]";
            case 4 -> pick(NAMES) + "/text()";
            case 7 -> "text()";
            case 8 -> ".//.";
            case 9 -> ".";
            default -> pick(NAMES);
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
