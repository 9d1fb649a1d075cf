package dev.penstock.documents.xpath;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The functions of the core library of XPath 1.0. A character is a code point. */
final class CoreCalls {
    private CoreCalls() {}

    /** Calls a function. One that was left its only argument has the context node in its place. */
    static Value call(
            CoreFunction function,
            List<Value> arguments,
            NodeTree tree,
            Evaluator.Context context) {
        Value first = arguments.isEmpty() ? single(context.node(), tree) : arguments.getFirst();
        Value second = arguments.size() > 1 ? arguments.get(1) : first;
        return switch (function) {
            case LAST -> new Value.Num(context.size());
            case POSITION -> new Value.Num(context.position());
            case COUNT -> new Value.Num(nodes(first, tree).size());
            case ID -> new Value.Nodes(new NodeList(tree.memory()));
            case LOCAL_NAME -> new Value.Text(name(first, tree).local());
            case NAMESPACE_URI -> new Value.Text(name(first, tree).uri());
            case NAME -> new Value.Text(name(first, tree).qualified());
            case STRING -> new Value.Text(first.text(tree));
            case CONCAT -> new Value.Text(concat(arguments, tree));
            case STARTS_WITH -> new Value.Bool(first.text(tree).startsWith(second.text(tree)));
            case CONTAINS -> new Value.Bool(first.text(tree).contains(second.text(tree)));
            case SUBSTRING_BEFORE -> new Value.Text(before(first.text(tree), second.text(tree)));
            case SUBSTRING_AFTER -> new Value.Text(after(first.text(tree), second.text(tree)));
            case SUBSTRING -> new Value.Text(substring(arguments, tree));
            case STRING_LENGTH -> new Value.Num(length(first.text(tree)));
            case NORMALIZE_SPACE -> new Value.Text(normalizeSpace(first.text(tree)));
            case TRANSLATE ->
                    new Value.Text(
                            translate(
                                    first.text(tree),
                                    second.text(tree),
                                    arguments.getLast().text(tree)));
            case BOOLEAN -> new Value.Bool(first.isTrue());
            case NOT -> new Value.Bool(!first.isTrue());
            case TRUE -> new Value.Bool(true);
            case FALSE -> new Value.Bool(false);
            case LANG -> new Value.Bool(isInLanguage(context.node(), first.text(tree), tree));
            case NUMBER -> new Value.Num(first.number(tree));
            case SUM -> new Value.Num(sum(nodes(first, tree), tree));
            case FLOOR -> new Value.Num(Math.floor(first.number(tree)));
            case CEILING -> new Value.Num(Math.ceil(first.number(tree)));
            case ROUND -> new Value.Num(Numbers.round(first.number(tree)));
        };
    }

    private static Value single(long node, NodeTree tree) {
        NodeList list = new NodeList(tree.memory());
        list.add(node);
        return new Value.Nodes(list);
    }

    /** The nodes of a value that was a node-set when the expression was compiled. */
    private static NodeList nodes(Value value, NodeTree tree) {
        return value instanceof Value.Nodes(NodeList list) ? list : new NodeList(tree.memory());
    }

    private static NodeName name(Value value, NodeTree tree) {
        NodeList nodes = nodes(value, tree);
        NodeName name = nodes.isEmpty() ? null : tree.name(nodes.get(0));
        return Objects.requireNonNullElse(name, NodeName.plain(""));
    }

    /** Joins texts without a buffer that grows. */
    private static String concat(List<Value> parts, NodeTree tree) {
        return String.join("", parts.stream().map(part -> part.text(tree)).toList());
    }

    private static String before(String text, String part) {
        int at = text.indexOf(part);
        return at < 0 ? "" : text.substring(0, at);
    }

    private static String after(String text, String part) {
        int at = text.indexOf(part);
        return at < 0 ? "" : text.substring(at + part.length());
    }

    /** The characters at positions from the first rounded argument on, and before the sum of both. */
    private static String substring(List<Value> arguments, NodeTree tree) {
        double from = Numbers.round(arguments.get(1).number(tree));
        double to =
                arguments.size() < 3
                        ? Double.POSITIVE_INFINITY
                        : from + Numbers.round(arguments.get(2).number(tree));
        String text = arguments.getFirst().text(tree);
        int start = 0;
        int position = 1;
        while (start < text.length() && !(position >= from)) {
            start = text.offsetByCodePoints(start, 1);
            position++;
        }
        int end = start;
        while (end < text.length() && position < to) {
            end = text.offsetByCodePoints(end, 1);
            position++;
        }
        return text.substring(start, end);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String normalizeSpace(String text) {
        StringBuilder normal = new StringBuilder(text.length());
        boolean pending = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Numbers.isSpace(c)) {
                pending = !normal.isEmpty();
            } else {
                if (pending) {
                    normal.append(' ');
                }
                pending = false;
                normal.append(c);
            }
        }
        return normal.toString();
    }

    private static String translate(String text, String from, String to) {
        int[] replacements = to.codePoints().toArray();
        int[] replaced = from.codePoints().toArray();
        Map<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < replaced.length; i++) {
            places.putIfAbsent(replaced[i], i);
        }
        StringBuilder translated = new StringBuilder(text.length());
        text.codePoints()
                .forEach(character -> {
                    Integer place = places.get(character);
                    if (place == null) {
                        translated.appendCodePoint(character);
                    } else if (place < replacements.length) {
                        translated.appendCodePoint(replacements[place]);
                    }
                });
        return translated.toString();
    }

    private static double sum(NodeList nodes, NodeTree tree) {
        double sum = 0;
        for (int i = 0; i < nodes.size(); i++) {
            sum += Numbers.number(tree.text(nodes.get(i)));
        }
        return sum;
    }

    /** Returns whether the nearest {@code xml:lang} is this language or a sublanguage of it, in any case. */
    private static boolean isInLanguage(long node, String language, NodeTree tree) {
        for (int i = NodeTree.index(node); i > 0; i = tree.parentAt(i)) {
            if (tree.kindAt(i) != NodeKind.ELEMENT) {
                continue;
            }
            for (int a = i + 1; a < tree.endAt(i) && tree.isAttached(a); a++) {
                if (tree.kindAt(a) == NodeKind.ATTRIBUTE
                        && tree.nameAt(a).local().equals("lang")
                        && tree.nameAt(a).uri().equals(NodeTree.XML_URI)) {
                    return isSublanguage(tree.valueAt(a), language);
                }
            }
        }
        return false;
    }

    private static boolean isSublanguage(String actual, String language) {
        return actual.equalsIgnoreCase(language)
                || (actual.length() > language.length()
                        && actual.charAt(language.length()) == '-'
                        && actual.regionMatches(true, 0, language, 0, language.length()));
    }
}
