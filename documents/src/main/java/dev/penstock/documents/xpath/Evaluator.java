package dev.penstock.documents.xpath;

import dev.penstock.documents.xpath.Expression.Step;
import java.util.ArrayList;
import java.util.List;

/** An evaluation of one expression on one document. Its work is bounded by {@link AxisWalk}. Not thread-safe. */
final class Evaluator {
    /** The characters that take about as long to read as a node to visit. */
    private static final int LINE_LENGTH = 64;

    private final NodeTree tree;
    private final AxisWalk walk;

    Evaluator(NodeTree tree, long maxVisits) {
        this.tree = tree;
        this.walk = new AxisWalk(tree, maxVisits);
    }

    /** The context of an expression: a node, its position from 1, and how many there are. */
    record Context(long node, int position, int size) {
        static final Context DOCUMENT = new Context(NodeTree.DOCUMENT, 1, 1);
    }

    Value evaluate(Expression expression, Context context) {
        return switch (expression) {
            case Expression.Text text -> new Value.Text(text.value());
            case Expression.Num num -> new Value.Num(num.value());
            case Expression.Bool bool -> new Value.Bool(bool.value());
            case Expression.Or or -> new Value.Bool(isAny(or.operands(), context));
            case Expression.And and -> new Value.Bool(areAll(and.operands(), context));
            case Expression.Compare compare -> new Value.Bool(compare(compare, context));
            case Expression.Calculate calculate -> new Value.Num(calculate(calculate, context));
            case Expression.Negate negate -> new Value.Num(-number(negate.operand(), context));
            case Expression.Call call -> call(call, context);
            case Expression.Union union -> new Value.Nodes(nodes(union, context));
            case Expression.Filter filter -> new Value.Nodes(nodes(filter, context));
            case Expression.Path path -> new Value.Nodes(nodes(path, context));
            case Expression.Root root -> new Value.Nodes(nodes(root, context));
        };
    }

    private boolean isAny(List<Expression> operands, Context context) {
        for (Expression operand : operands) {
            if (evaluate(operand, context).isTrue()) {
                return true;
            }
        }
        return false;
    }

    private boolean areAll(List<Expression> operands, Context context) {
        for (Expression operand : operands) {
            if (!evaluate(operand, context).isTrue()) {
                return false;
            }
        }
        return true;
    }

    private boolean compare(Expression.Compare compare, Context context) {
        Value left = evaluate(compare.left(), context);
        Value right = evaluate(compare.right(), context);
        countTexts(left);
        countTexts(right);
        return Comparisons.compare(compare.comparison(), left, right, tree);
    }

    private double calculate(Expression.Calculate calculate, Context context) {
        double left = number(calculate.left(), context);
        double right = number(calculate.right(), context);
        return switch (calculate.operator()) {
            case PLUS -> left + right;
            case MINUS -> left - right;
            case TIMES -> left * right;
            case DIVIDED_BY -> left / right;
            case MODULO -> left % right;
        };
    }

    private double number(Expression expression, Context context) {
        Value value = evaluate(expression, context);
        countFirstText(value);
        return value.number(tree);
    }

    private Value call(Expression.Call call, Context context) {
        List<Value> arguments = new ArrayList<>(call.arguments().size());
        for (Expression argument : call.arguments()) {
            Value value = evaluate(argument, context);
            countRead(call.function(), value);
            arguments.add(value);
        }
        if (arguments.isEmpty() && call.function().readsText()) {
            countText(context.node());
        }
        return CoreCalls.call(call.function(), arguments, tree, context);
    }

    /** Counts what a function reads: of a node-set, the text of the first node, but {@code sum()} of all. */
    private void countRead(CoreFunction function, Value value) {
        if (function == CoreFunction.SUM) {
            countTexts(value);
        } else if (function.readsText()) {
            countFirstText(value);
        }
    }

    private void countFirstText(Value value) {
        if (value instanceof Value.Nodes(NodeList list) && !list.isEmpty()) {
            countText(list.get(0));
        }
    }

    /** Counts what it takes to read the texts of nodes: as many visits as they have descendants and lines. */
    private void countTexts(Value value) {
        if (value instanceof Value.Nodes(NodeList list)) {
            for (int i = 0; i < list.size(); i++) {
                countText(list.get(i));
            }
        }
    }

    private void countText(long node) {
        int index = NodeTree.index(node);
        long length = tree.textLength(node);
        walk.count(tree.endAt(index) - index + length / LINE_LENGTH);
        tree.memory().takeTemporary(4 * length);
    }

    /** The nodes of an expression whose value is a node-set, in document order. */
    private NodeList nodes(Expression expression, Context context) {
        return switch (expression) {
            case Expression.Root root -> single(NodeTree.DOCUMENT);
            case Expression.Path path -> {
                Expression start = path.start();
                NodeList nodes = start == null ? single(context.node()) : nodes(start, context);
                for (Step step : path.steps()) {
                    nodes = step(step, nodes);
                }
                yield nodes;
            }
            case Expression.Filter filter ->
                    filter(nodes(filter.nodes(), context), filter.predicates());
            case Expression.Union union -> {
                NodeList all = new NodeList(tree.memory());
                union.operands().forEach(operand -> all.addAll(nodes(operand, context)));
                yield all.inDocumentOrder();
            }
            case Expression.Call call ->
                    call(call, context) instanceof Value.Nodes(NodeList list)
                            ? list
                            : new NodeList(tree.memory());
            case Expression.Text text -> new NodeList(tree.memory());
            case Expression.Num num -> new NodeList(tree.memory());
            case Expression.Bool bool -> new NodeList(tree.memory());
            case Expression.Or or -> new NodeList(tree.memory());
            case Expression.And and -> new NodeList(tree.memory());
            case Expression.Compare compare -> new NodeList(tree.memory());
            case Expression.Calculate calculate -> new NodeList(tree.memory());
            case Expression.Negate negate -> new NodeList(tree.memory());
        };
    }

    private NodeList single(long node) {
        NodeList list = new NodeList(tree.memory());
        list.add(node);
        return list;
    }

    private NodeList step(Step step, NodeList from) {
        NodeList found = new NodeList(tree.memory());
        for (int i = 0; i < from.size(); i++) {
            if (step.predicates().isEmpty()) {
                walk.collect(step.axis(), step.test(), from.get(i), found);
            } else {
                NodeList candidates = new NodeList(tree.memory());
                walk.collect(step.axis(), step.test(), from.get(i), candidates);
                found.addAll(filter(candidates, step.predicates()));
            }
        }
        return found.inDocumentOrder();
    }

    /** Keeps the nodes that fulfil one predicate after the other; positions are counted in the order given. */
    private NodeList filter(NodeList candidates, List<Expression> predicates) {
        NodeList kept = candidates;
        for (Expression predicate : predicates) {
            NodeList next = new NodeList(tree.memory());
            int size = kept.size();
            for (int i = 0; i < size; i++) {
                if (isKept(predicate, new Context(kept.get(i), i + 1, size))) {
                    next.add(kept.get(i));
                }
            }
            kept = next;
        }
        return kept;
    }

    private boolean isKept(Expression predicate, Context context) {
        walk.count(1);
        return switch (evaluate(predicate, context)) {
            case Value.Num num -> num.value() == context.position();
            case Value value -> value.isTrue();
        };
    }
}
