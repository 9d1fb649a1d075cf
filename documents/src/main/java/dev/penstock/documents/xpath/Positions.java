package dev.penstock.documents.xpath;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jaxen.JaxenException;
import org.jaxen.expr.BinaryExpr;
import org.jaxen.expr.DefaultXPathFactory;
import org.jaxen.expr.Expr;
import org.jaxen.expr.FilterExpr;
import org.jaxen.expr.FunctionCallExpr;
import org.jaxen.expr.LiteralExpr;
import org.jaxen.expr.LocationPath;
import org.jaxen.expr.NumberExpr;
import org.jaxen.expr.PathExpr;
import org.jaxen.expr.Step;
import org.jaxen.expr.UnaryExpr;
import org.jaxen.expr.VariableReferenceExpr;
import org.jspecify.annotations.Nullable;

/**
 * The places of names, literals and numbers in an expression, which Jaxen does not tell. It makes its nodes in the
 * order of the text, so that the nth function is where the nth name of a function is, and so on. Positions count from
 * 1.
 */
final class Positions extends DefaultXPathFactory {
    private static final String NAME = "[\\p{L}_][\\p{L}\\p{M}\\p{N}_.\\-\u00b7]*";
    private static final Pattern TOKEN =
            Pattern.compile(
                    "(?<literal>\"[^\"]*\"|'[^']*')|(?<number>\\d+(?:\\.\\d*)?|\\.\\d+)|(?<name>\\*|"
                            + NAME
                            + "(?::(?!:)(?:\\*|"
                            + NAME
                            + ")?)?)|::|\\.\\.|\\S");
    private static final Pattern NODE_TYPE =
            Pattern.compile("comment|text|node|processing-instruction");

    private enum Kind {
        FUNCTION,
        VARIABLE,
        NAME,
        LITERAL,
        NUMBER
    }

    private final Map<Kind, Deque<Integer>> places = new EnumMap<>(Kind.class);
    private final IdentityHashMap<Object, Integer> found = new IdentityHashMap<>();

    Positions(String expression) {
        Matcher token = TOKEN.matcher(expression);
        boolean isAfterOperand = false;
        String before = "";
        boolean isTarget = false;
        while (token.find()) {
            String text = token.group();
            if (token.group("literal") != null) {
                note(isTarget ? null : Kind.LITERAL, token);
                isAfterOperand = true;
            } else if (token.group("number") != null) {
                note(Kind.NUMBER, token);
                isAfterOperand = true;
            } else if (token.group("name") != null && !isAfterOperand) {
                Kind kind = kind(before, text, expression.substring(token.end()).stripLeading());
                note(kind, token);
                isAfterOperand = kind == Kind.NAME || kind == Kind.VARIABLE;
            } else {
                isAfterOperand =
                        text.equals(")")
                                || text.equals("]")
                                || text.equals(".")
                                || text.equals("..");
            }
            isTarget = text.equals("(") && before.equals("processing-instruction");
            before = text;
        }
    }

    /** Returns the kind of a name that is no operator; null for an axis or a type of node. */
    private static @Nullable Kind kind(String before, String name, String after) {
        if (before.equals("$")) {
            return Kind.VARIABLE;
        }
        if (after.startsWith("::")
                || (after.startsWith("(") && NODE_TYPE.matcher(name).matches())) {
            return null;
        }
        return after.startsWith("(") ? Kind.FUNCTION : Kind.NAME;
    }

    private Deque<Integer> places(Kind kind) {
        return places.computeIfAbsent(kind, _ -> new ArrayDeque<>());
    }

    private void note(@Nullable Kind kind, Matcher token) {
        if (kind != null) {
            places(kind).add(token.start() + 1);
        }
    }

    private <T> T made(Kind kind, T node) {
        Integer place = places(kind).poll();
        if (place != null) {
            found.put(node, place);
        }
        return node;
    }

    /** Returns where a name, literal or number stands. */
    int of(Object node) {
        return found.getOrDefault(node, 1);
    }

    /** Returns where the first name, literal or number of an expression stands. */
    int first(Expr expression) {
        Object first = expression;
        while (!found.containsKey(first)) {
            @Nullable Object next =
                    switch (first) {
                        case BinaryExpr binary -> binary.getLHS();
                        case UnaryExpr unary -> unary.getExpr();
                        case FilterExpr filter -> filter.getExpr();
                        case PathExpr path ->
                                path.getFilterExpr() == null
                                        ? path.getLocationPath()
                                        : path.getFilterExpr();
                        case LocationPath location -> named(location);
                        default -> null;
                    };
            if (next == null) {
                return 1;
            }
            first = next;
        }
        return of(first);
    }

    /** Returns the first step that has a name; null if none has. */
    private @Nullable Object named(LocationPath path) {
        for (Object step : path.getSteps()) {
            if (found.containsKey(step)) {
                return step;
            }
        }
        return null;
    }

    @Override
    public FunctionCallExpr createFunctionCallExpr(String prefix, String name)
            throws JaxenException {
        return made(Kind.FUNCTION, super.createFunctionCallExpr(prefix, name));
    }

    @Override
    public VariableReferenceExpr createVariableReferenceExpr(String prefix, String variable)
            throws JaxenException {
        return made(Kind.VARIABLE, super.createVariableReferenceExpr(prefix, variable));
    }

    @Override
    public Step createNameStep(int axis, String prefix, String localName) throws JaxenException {
        return made(Kind.NAME, super.createNameStep(axis, prefix, localName));
    }

    @Override
    public LiteralExpr createLiteralExpr(String literal) throws JaxenException {
        return made(Kind.LITERAL, super.createLiteralExpr(literal));
    }

    @Override
    public NumberExpr createNumberExpr(int number) throws JaxenException {
        return made(Kind.NUMBER, super.createNumberExpr(number));
    }

    @Override
    public NumberExpr createNumberExpr(double number) throws JaxenException {
        return made(Kind.NUMBER, super.createNumberExpr(number));
    }
}
