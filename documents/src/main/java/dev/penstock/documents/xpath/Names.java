package dev.penstock.documents.xpath;

import static dev.penstock.documents.DocumentException.Kind.XPATH;

import dev.penstock.documents.DocumentException;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The meanings of the names in an expression: prefixes, variables and functions. Values are never in a message. */
record Names(String expression, Map<String, String> namespaces, Map<String, Object> variables) {
    Names {
        namespaces = Map.copyOf(namespaces);
        variables = Map.copyOf(variables);
        if (namespaces.containsKey("")) {
            throw new DocumentException(
                    XPATH,
                    "A namespace is bound to the empty prefix, but XPath 1.0 has no default namespace;"
                            + " give it a prefix");
        }
    }

    /** The namespace of a prefix; none for a name without one. */
    String uri(@Nullable String prefix) {
        if (prefix == null || prefix.isEmpty()) {
            return "";
        }
        String uri = prefix.equals("xml") ? NodeTree.XML_URI : namespaces.get(prefix);
        if (uri == null) {
            throw unknown("prefix", prefix, "prefixes", new TreeSet<>(namespaces.keySet()));
        }
        return uri;
    }

    Expression variable(@Nullable String prefix, String name) {
        String written = prefix == null || prefix.isEmpty() ? name : prefix + ":" + name;
        return switch (variables.get(written)) {
            case null ->
                    throw unknown(
                            "variable", written, "variables", new TreeSet<>(variables.keySet()));
            case String text -> new Expression.Text(text);
            case Number number -> new Expression.Num(number.doubleValue());
            case Boolean bool -> new Expression.Bool(bool);
            case Object other ->
                    throw new DocumentException(
                            XPATH,
                            "The variable $%s of the expression %s is bound to a %s; bind a string, number or boolean"
                                    .formatted(written, expression, other.getClass().getName()));
        };
    }

    CoreFunction function(@Nullable String prefix, String name, int arguments) {
        String written = prefix == null || prefix.isEmpty() ? name : prefix + ":" + name;
        CoreFunction function = CoreFunction.find(written);
        if (function == null) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s calls an unknown function %s() at position %d; there are those of XPath 1.0"
                            .formatted(expression, written, positionOf(written)));
        }
        if (!function.takes(arguments)) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s calls %s() with %d arguments at position %d; it takes %s"
                            .formatted(
                                    expression,
                                    written,
                                    arguments,
                                    positionOf(written),
                                    function.arity()));
        }
        return function;
    }

    private DocumentException unknown(
            String what, String name, String plural, TreeSet<String> bound) {
        return new DocumentException(
                XPATH,
                "The expression %s has an unknown %s '%s' at position %d; bound %s: %s"
                        .formatted(expression, what, name, positionOf(name), plural, bound));
    }

    /** The first place of a name in the expression outside its literals, counted from 1. */
    private int positionOf(String name) {
        char quote = 0;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (expression.startsWith(name, i)
                    && !isInName(i - 1)
                    && !isInName(i + name.length())) {
                return i + 1;
            }
        }
        return 1;
    }

    private boolean isInName(int index) {
        if (index < 0 || index >= expression.length()) {
            return false;
        }
        char c = expression.charAt(index);
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
    }
}
