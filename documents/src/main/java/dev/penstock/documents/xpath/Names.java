package dev.penstock.documents.xpath;

import static dev.penstock.documents.DocumentException.Kind.XPATH;

import dev.penstock.documents.DocumentException;
import java.util.Map;
import java.util.Set;
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
    String uri(@Nullable String prefix, int position) {
        if (prefix == null || prefix.isEmpty()) {
            return "";
        }
        String uri = prefix.equals("xml") ? NodeTree.XML_URI : namespaces.get(prefix);
        if (uri == null) {
            throw unknown("prefix", prefix, position, "prefixes", namespaces.keySet());
        }
        return uri;
    }

    Expression variable(@Nullable String prefix, String name, int position) {
        String written = prefix == null || prefix.isEmpty() ? name : prefix + ":" + name;
        return switch (variables.get(written)) {
            case null ->
                    throw unknown("variable", written, position, "variables", variables.keySet());
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

    CoreFunction function(@Nullable String prefix, String name, int arguments, int position) {
        String written = prefix == null || prefix.isEmpty() ? name : prefix + ":" + name;
        CoreFunction function = CoreFunction.find(written);
        if (function == null) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s calls an unknown function %s() at position %d; there are those of XPath 1.0"
                            .formatted(expression, written, position));
        }
        if (!function.takes(arguments)) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s calls %s() with %d arguments at position %d; it takes %s"
                            .formatted(expression, written, arguments, position, function.arity()));
        }
        return function;
    }

    private DocumentException unknown(
            String what, String name, int position, String plural, Set<String> bound) {
        return new DocumentException(
                XPATH,
                "The expression %s has an unknown %s '%s' at position %d; bound %s: %s"
                        .formatted(expression, what, name, position, plural, new TreeSet<>(bound)));
    }
}
