package dev.penstock.documents.xpath;

import static dev.penstock.documents.DocumentException.Kind.LIMIT;
import static dev.penstock.documents.DocumentException.Kind.XPATH;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.xpath.Expression.Comparison;
import dev.penstock.documents.xpath.Expression.Operator;
import dev.penstock.documents.xpath.Expression.Step;
import java.util.ArrayList;
import java.util.List;
import org.jaxen.JaxenHandler;
import org.jaxen.expr.AllNodeStep;
import org.jaxen.expr.BinaryExpr;
import org.jaxen.expr.CommentNodeStep;
import org.jaxen.expr.Expr;
import org.jaxen.expr.FilterExpr;
import org.jaxen.expr.FunctionCallExpr;
import org.jaxen.expr.LiteralExpr;
import org.jaxen.expr.LocationPath;
import org.jaxen.expr.NameStep;
import org.jaxen.expr.NumberExpr;
import org.jaxen.expr.PathExpr;
import org.jaxen.expr.Predicate;
import org.jaxen.expr.ProcessingInstructionNodeStep;
import org.jaxen.expr.TextNodeStep;
import org.jaxen.expr.UnaryExpr;
import org.jaxen.expr.VariableReferenceExpr;
import org.jaxen.saxpath.SAXPathException;
import org.jaxen.saxpath.XPathSyntaxException;
import org.jaxen.saxpath.base.XPathReader;
import org.jspecify.annotations.Nullable;

/**
 * A reader of expressions: Jaxen parses them, and what it gives becomes an {@link Expression} with resolved names and
 * checked types.
 *
 * <p>Jaxen's own evaluation is not used. It puts nodes in document order by walking over their siblings, so
 * {@code //a} takes quadratic time in the number of siblings; it finds unknown names only when it meets them on a
 * document; and its work can't be bounded.
 */
final class ExpressionReader {
    /** The greatest length of an expression, in UTF-16 code units. */
    static final int MAX_LENGTH = 8_000;

    /** The greatest depth of parentheses and predicates, and of operators in each other. */
    static final int MAX_DEPTH = 200;

    private final Names names;
    private final Positions positions;

    private ExpressionReader(Names names, Positions positions) {
        this.names = names;
        this.positions = positions;
    }

    static Expression read(Names names) {
        String expression = names.expression();
        checkLimits(expression);
        try {
            Positions positions = new Positions(expression);
            JaxenHandler handler = new JaxenHandler();
            handler.setXPathFactory(positions);
            XPathReader reader = new XPathReader();
            reader.setXPathHandler(handler);
            reader.parse(expression);
            return new ExpressionReader(names, positions)
                    .expression(handler.getXPathExpr().getRootExpr(), 0);
        } catch (XPathSyntaxException e) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s is wrong at position %d: %s"
                            .formatted(expression, e.getPosition() + 1, e.getMessage()),
                    e);
        } catch (SAXPathException e) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s is wrong: %s".formatted(expression, e.getMessage()),
                    e);
        }
    }

    private static void checkLimits(String expression) {
        if (expression.length() > MAX_LENGTH) {
            throw new DocumentException(
                    LIMIT,
                    "An expression has %,d characters; shorten it to %,d"
                            .formatted(expression.length(), MAX_LENGTH));
        }
        int depth = 0;
        char quote = 0;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '(' || c == '[') {
                checkDepth(++depth, "position " + (i + 1));
            } else if (c == ')' || c == ']') {
                depth--;
            }
        }
    }

    private static void checkDepth(int depth, String place) {
        if (depth > MAX_DEPTH) {
            throw new DocumentException(
                    LIMIT,
                    "An expression is nested more than %d deep at %s; write it with fewer levels"
                            .formatted(MAX_DEPTH, place));
        }
    }

    private Expression expression(Expr expr, int depth) {
        checkDepth(depth, "an operator");
        return switch (expr) {
            case LiteralExpr literal -> new Expression.Text(literal.getLiteral());
            case NumberExpr number -> new Expression.Num(number.getNumber().doubleValue());
            case VariableReferenceExpr variable ->
                    names.variable(
                            variable.getPrefix(),
                            variable.getVariableName(),
                            positions.of(variable));
            case UnaryExpr unary -> new Expression.Negate(expression(unary.getExpr(), depth + 1));
            case FunctionCallExpr call -> call(call, depth + 1);
            case BinaryExpr binary -> binary(binary, depth + 1);
            case FilterExpr filter -> filter(filter, depth + 1);
            case PathExpr path -> path(path, depth + 1);
            case LocationPath location -> location(location, null, depth + 1);
            default -> throw new IllegalStateException("Jaxen has parsed a " + expr.getClass());
        };
    }

    private Expression call(FunctionCallExpr call, int depth) {
        List<?> parameters = call.getParameters();
        CoreFunction function =
                names.function(
                        call.getPrefix(),
                        call.getFunctionName(),
                        parameters.size(),
                        positions.of(call));
        List<Expression> arguments = new ArrayList<>();
        for (Object parameter : parameters) {
            Expression argument = expression((Expr) parameter, depth);
            if (function.takesNodes()) {
                requireNodes(argument, (Expr) parameter, function.written() + "()");
            }
            arguments.add(argument);
        }
        return new Expression.Call(function, List.copyOf(arguments));
    }

    private Expression binary(BinaryExpr binary, int depth) {
        String operator = binary.getOperator();
        return switch (operator) {
            case "or" -> new Expression.Or(operands(binary, operator, depth));
            case "and" -> new Expression.And(operands(binary, operator, depth));
            case "|" -> {
                List<Expression> operands = new ArrayList<>();
                for (Expr operand : written(binary, operator)) {
                    Expression read = expression(operand, depth);
                    requireNodes(read, operand, "|");
                    operands.add(read);
                }
                yield new Expression.Union(List.copyOf(operands));
            }
            case "=" -> compare(Comparison.EQUAL, binary, depth);
            case "!=" -> compare(Comparison.NOT_EQUAL, binary, depth);
            case "<" -> compare(Comparison.LESS, binary, depth);
            case "<=" -> compare(Comparison.LESS_OR_EQUAL, binary, depth);
            case ">" -> compare(Comparison.GREATER, binary, depth);
            case ">=" -> compare(Comparison.GREATER_OR_EQUAL, binary, depth);
            case "+" -> calculate(Operator.PLUS, binary, depth);
            case "-" -> calculate(Operator.MINUS, binary, depth);
            case "*" -> calculate(Operator.TIMES, binary, depth);
            case "div" -> calculate(Operator.DIVIDED_BY, binary, depth);
            case "mod" -> calculate(Operator.MODULO, binary, depth);
            default -> throw new IllegalStateException("Jaxen has parsed the operator " + operator);
        };
    }

    private List<Expression> operands(BinaryExpr binary, String operator, int depth) {
        return written(binary, operator).stream()
                .map(operand -> expression(operand, depth))
                .toList();
    }

    /** The operands of a chain of one operator, which Jaxen nests to the left. */
    private static List<Expr> written(BinaryExpr binary, String operator) {
        List<Expr> operands = new ArrayList<>();
        Expr left = binary;
        while (left instanceof BinaryExpr inner && inner.getOperator().equals(operator)) {
            operands.add(inner.getRHS());
            left = inner.getLHS();
        }
        operands.add(left);
        return operands.reversed();
    }

    private Expression compare(Comparison comparison, BinaryExpr binary, int depth) {
        return new Expression.Compare(
                comparison, expression(binary.getLHS(), depth), expression(binary.getRHS(), depth));
    }

    private Expression calculate(Operator operator, BinaryExpr binary, int depth) {
        return new Expression.Calculate(
                operator, expression(binary.getLHS(), depth), expression(binary.getRHS(), depth));
    }

    private Expression filter(FilterExpr filter, int depth) {
        Expression nodes = expression(filter.getExpr(), depth);
        List<Expression> predicates = predicates(filter.getPredicates(), depth);
        if (predicates.isEmpty()) {
            return nodes;
        }
        requireNodes(nodes, filter.getExpr(), "a predicate");
        return new Expression.Filter(nodes, predicates);
    }

    private Expression path(PathExpr path, int depth) {
        Expression start = expression(path.getFilterExpr(), depth);
        LocationPath location = path.getLocationPath();
        if (location == null) {
            return start;
        }
        requireNodes(start, path.getFilterExpr(), "/");
        return location(location, start, depth);
    }

    private Expression location(LocationPath location, @Nullable Expression start, int depth) {
        Expression from = start == null && location.isAbsolute() ? new Expression.Root() : start;
        List<Step> steps = new ArrayList<>();
        for (Object step : location.getSteps()) {
            steps.add(step((org.jaxen.expr.Step) step, depth));
        }
        return from != null && steps.isEmpty()
                ? from
                : new Expression.Path(from, DescendantSteps.merge(steps));
    }

    private Step step(org.jaxen.expr.Step step, int depth) {
        Axis axis = Axis.named(org.jaxen.saxpath.Axis.lookup(step.getAxis()));
        NodeTest test =
                switch (step) {
                    case AllNodeStep all -> new NodeTest.AnyNode();
                    case TextNodeStep text -> new NodeTest.AnyText();
                    case CommentNodeStep comment -> new NodeTest.AnyComment();
                    case ProcessingInstructionNodeStep instruction ->
                            new NodeTest.Instruction(emptyToNull(instruction.getName()));
                    case NameStep name -> named(name);
                    default ->
                            throw new IllegalStateException(
                                    "Jaxen has parsed a " + step.getClass());
                };
        return new Step(axis, test, predicates(step.getPredicates(), depth));
    }

    private static @Nullable String emptyToNull(String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private NodeTest named(NameStep name) {
        String prefix = name.getPrefix();
        String local = name.getLocalName();
        if (local == null) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s has the prefix %s without a local name at position %d"
                            .formatted(names.expression(), prefix, positions.of(name)));
        }
        boolean any = local.equals("*");
        boolean anyNamespace = any && (prefix == null || prefix.isEmpty());
        return new NodeTest.Named(
                anyNamespace ? null : names.uri(prefix, positions.of(name)), any ? null : local);
    }

    private List<Expression> predicates(List<?> predicates, int depth) {
        List<Expression> read = new ArrayList<>();
        for (Object predicate : predicates) {
            read.add(expression(((Predicate) predicate).getExpr(), depth));
        }
        return List.copyOf(read);
    }

    private void requireNodes(Expression expression, Expr written, String by) {
        if (!Types.isNodes(expression)) {
            throw new DocumentException(
                    XPATH,
                    "The expression %s gives %s something other than a node-set at position %d; XPath can't convert it"
                            .formatted(names.expression(), by, positions.first(written)));
        }
    }
}
