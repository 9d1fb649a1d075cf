package dev.penstock.documents.xpath;

import dev.penstock.documents.xpath.Expression.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An evaluation of one expression on one document. Its work is bounded by {@link AxisWalk}. Not thread-safe. */
final class Evaluator {
    /** The characters that take about as long to read as a node to visit. */
    private static final int LINE_LENGTH = 64;

    /** The pairs of characters of a text and of what is looked for in it that take as long to compare. */
    private static final int SEARCHED_PAIRS = 256;

    /** The bytes of a text in a set beside its characters. */
    private static final int HELD_TEXT = 100;

    /** The bytes of a character and its place in a map, which doubles when it grows. */
    private static final long MAPPED_CHARACTER = 100;

    private final NodeTree tree;
    private final SearchMemory memory;
    private final AxisWalk walk;

    Evaluator(NodeTree tree, long maxVisits) {
        this.tree = tree;
        memory = tree.memory();
        this.walk = new AxisWalk(tree, maxVisits);
    }

    /** The context of an expression: a node, its position from 1, and how many there are. */
    record Context(long node, int position, int size) {
        static final Context DOCUMENT = new Context(NodeTree.DOCUMENT, 1, 1);
    }

    /** Evaluates an expression, after which no memory is taken but that of its value. */
    Value evaluate(Expression expression, Context context) {
        long before = memory.taken();
        Value value = value(expression, context);
        memory.releaseTo(before + bytes(value));
        return value;
    }

    private static long bytes(Value value) {
        return switch (value) {
            case Value.Nodes(NodeList list) -> list.bytes();
            case Value.Text(String text) -> 2L * text.length();
            case Value.Num _ -> 0;
            case Value.Bool _ -> 0;
        };
    }

    private Value value(Expression expression, Context context) {
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
            if (isTrue(operand, context)) {
                return true;
            }
        }
        return false;
    }

    private boolean areAll(List<Expression> operands, Context context) {
        for (Expression operand : operands) {
            if (!isTrue(operand, context)) {
                return false;
            }
        }
        return true;
    }

    private boolean isTrue(Expression expression, Context context) {
        long before = memory.taken();
        boolean isTrue = evaluate(expression, context).isTrue();
        memory.releaseTo(before);
        return isTrue;
    }

    private boolean compare(Expression.Compare compare, Context context) {
        Value left = evaluate(compare.left(), context);
        Value right = evaluate(compare.right(), context);
        NodeList held = Comparisons.held(left, right);
        long ofLeft = countTexts(left, held);
        long ofRight = countTexts(right, held);
        memory.take(held == null ? Math.max(ofLeft, ofRight) : ofLeft + ofRight);
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
        memory.take(countFirstText(value));
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
            memory.take(countText(context.node()));
        }
        countWork(call.function(), arguments, context);
        return CoreCalls.call(call.function(), arguments, tree, context);
    }

    /** Counts what a function reads: of a node-set, the text of the first node, but {@code sum()} of all. */
    private void countRead(CoreFunction function, Value value) {
        if (function == CoreFunction.SUM) {
            memory.take(countTexts(value, null));
        } else if (function.readsText()) {
            memory.take(countFirstText(value));
        }
    }

    /** Counts the work of a function on texts, and takes the memory of the texts that it makes. */
    private void countWork(CoreFunction function, List<Value> arguments, Context context) {
        switch (function) {
            case CONCAT -> memory.take(2 * arguments.stream().mapToLong(this::length).sum());
            case CONTAINS, SUBSTRING_BEFORE, SUBSTRING_AFTER -> {
                long text = length(arguments.getFirst());
                walk.count(text * length(arguments.getLast()) / SEARCHED_PAIRS);
                memory.take(2 * text);
            }
            case SUBSTRING -> memory.take(2 * length(arguments.getFirst()));
            case TRANSLATE ->
                    // Characters are taken apart into code points, and those that are replaced are
                    // put into a map.
                    memory.take(
                            8 * arguments.stream().mapToLong(this::length).sum()
                                    + MAPPED_CHARACTER * length(arguments.get(1)));
            case NORMALIZE_SPACE ->
                    memory.take(
                            4
                                    * (arguments.isEmpty()
                                            ? tree.textLength(context.node())
                                            : length(arguments.getFirst())));
            default -> {}
        }
    }

    /** The number of characters of a value's string, that of a number or a boolean taken as few. */
    private long length(Value value) {
        return switch (value) {
            case Value.Nodes(NodeList list) -> list.isEmpty() ? 0 : tree.textLength(list.get(0));
            case Value.Text(String text) -> text.length();
            case Value.Num _ -> 32;
            case Value.Bool _ -> 5;
        };
    }

    private long countFirstText(Value value) {
        return value instanceof Value.Nodes(NodeList list) && !list.isEmpty()
                ? countText(list.get(0))
                : 0;
    }

    /**
     * Counts what it takes to read the texts of nodes: as many visits as they have descendants and lines.
     *
     * @param held the list whose texts are in memory together; of another list there is one at a time
     * @return the bytes of the texts
     */
    private long countTexts(Value value, @Nullable NodeList held) {
        long bytes = 0;
        if (value instanceof Value.Nodes(NodeList list)) {
            for (int i = 0; i < list.size(); i++) {
                long one = countText(list.get(i));
                bytes = list == held ? bytes + one + HELD_TEXT : Math.max(bytes, one);
            }
        }
        return bytes;
    }

    /** Counts the reading of a node's text; gives the bytes that it takes. */
    private long countText(long node) {
        int index = NodeTree.index(node);
        long length = tree.textLength(node);
        walk.count(tree.endAt(index) - index + length / LINE_LENGTH);
        return tree.isTextJoined(node) ? 4 * length : 0;
    }

    /** The nodes of an expression whose value is a node-set, in document order. */
    private NodeList nodes(Expression expression, Context context) {
        long before = memory.taken();
        NodeList nodes = nodesOf(expression, context);
        memory.releaseTo(before + nodes.bytes());
        return nodes;
    }

    private NodeList nodesOf(Expression expression, Context context) {
        return switch (expression) {
            case Expression.Root root -> single(NodeTree.DOCUMENT);
            case Expression.Path path -> {
                Expression start = path.start();
                long before = memory.taken();
                NodeList nodes = start == null ? single(context.node()) : nodes(start, context);
                for (Step step : path.steps()) {
                    nodes = step(step, nodes);
                    memory.releaseTo(before + nodes.bytes());
                }
                yield nodes;
            }
            case Expression.Filter filter ->
                    filter(nodes(filter.nodes(), context), filter.predicates());
            case Expression.Union union -> {
                NodeList all = new NodeList(memory);
                union.operands().forEach(operand -> all.addAll(nodes(operand, context)));
                yield all.inDocumentOrder();
            }
            case Expression.Call call ->
                    call(call, context) instanceof Value.Nodes(NodeList list)
                            ? list
                            : new NodeList(memory);
            case Expression.Text text -> new NodeList(memory);
            case Expression.Num num -> new NodeList(memory);
            case Expression.Bool bool -> new NodeList(memory);
            case Expression.Or or -> new NodeList(memory);
            case Expression.And and -> new NodeList(memory);
            case Expression.Compare compare -> new NodeList(memory);
            case Expression.Calculate calculate -> new NodeList(memory);
            case Expression.Negate negate -> new NodeList(memory);
        };
    }

    private NodeList single(long node) {
        NodeList list = new NodeList(memory);
        list.add(node);
        return list;
    }

    private NodeList step(Step step, NodeList from) {
        NodeList found = new NodeList(memory);
        for (int i = 0; i < from.size(); i++) {
            if (step.predicates().isEmpty()) {
                walk.collect(step.axis(), step.test(), from.get(i), found);
            } else {
                long before = memory.taken() - found.bytes();
                NodeList candidates = new NodeList(memory);
                walk.collect(step.axis(), step.test(), from.get(i), candidates);
                found.addAll(filter(candidates, step.predicates()));
                memory.releaseTo(before + found.bytes());
            }
        }
        return found.inDocumentOrder();
    }

    /** Keeps the nodes that fulfil one predicate after the other; positions are counted in the order given. */
    private NodeList filter(NodeList candidates, List<Expression> predicates) {
        NodeList kept = candidates;
        for (Expression predicate : predicates) {
            NodeList next = new NodeList(memory);
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
        long before = memory.taken();
        Value found = evaluate(predicate, context);
        memory.releaseTo(before);
        return found instanceof Value.Num(double number)
                ? number == context.position()
                : found.isTrue();
    }
}
