package dev.penstock.documents.xpath;

import dev.penstock.documents.xpath.Expression.Comparison;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The comparisons of XPath 1.0. One of node-sets holds if it holds for some of their nodes. */
final class Comparisons {
    private Comparisons() {}

    static boolean compare(Comparison comparison, Value left, Value right, NodeTree tree) {
        if (left instanceof Value.Nodes(NodeList nodes)) {
            return right instanceof Value.Nodes(NodeList others)
                    ? compareNodes(comparison, nodes, others, tree)
                    : compareNodes(comparison, nodes, right, tree);
        }
        if (right instanceof Value.Nodes(NodeList nodes)) {
            return compareNodes(comparison.exchanged(), nodes, left, tree);
        }
        return compareSingle(comparison, left, right, tree);
    }

    private static boolean compareSingle(
            Comparison comparison, Value left, Value right, NodeTree tree) {
        if (!isEquality(comparison)) {
            return compareNumbers(comparison, left.number(tree), right.number(tree));
        }
        if (left instanceof Value.Bool || right instanceof Value.Bool) {
            return (left.isTrue() == right.isTrue()) == (comparison == Comparison.EQUAL);
        }
        if (left instanceof Value.Num || right instanceof Value.Num) {
            return compareNumbers(comparison, left.number(tree), right.number(tree));
        }
        return left.text(tree).equals(right.text(tree)) == (comparison == Comparison.EQUAL);
    }

    private static boolean compareNodes(
            Comparison comparison, NodeList nodes, Value other, NodeTree tree) {
        if (other instanceof Value.Bool) {
            return compareSingle(comparison, new Value.Bool(!nodes.isEmpty()), other, tree);
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (compareSingle(comparison, new Value.Text(tree.text(nodes.get(i))), other, tree)) {
                return true;
            }
        }
        return false;
    }

    private static boolean compareNodes(
            Comparison comparison, NodeList left, NodeList right, NodeTree tree) {
        if (left.isEmpty() || right.isEmpty()) {
            return false;
        }
        return switch (comparison) {
            case EQUAL -> haveEqual(left, right, tree);
            case NOT_EQUAL -> haveDifferent(left, right, tree);
            case LESS, LESS_OR_EQUAL ->
                    compareNumbers(comparison, least(left, tree), most(right, tree));
            case GREATER, GREATER_OR_EQUAL ->
                    compareNumbers(comparison, most(left, tree), least(right, tree));
        };
    }

    /** The node-set whose texts a comparison may hold in memory together; null if there is none. */
    static @Nullable NodeList held(Value left, Value right) {
        return left instanceof Value.Nodes(NodeList one)
                        && right instanceof Value.Nodes(NodeList other)
                ? fewer(one, other)
                : null;
    }

    private static NodeList fewer(NodeList left, NodeList right) {
        return left.size() < right.size() ? left : right;
    }

    private static boolean haveEqual(NodeList left, NodeList right, NodeTree tree) {
        NodeList fewer = fewer(left, right);
        NodeList others = fewer == left ? right : left;
        Set<String> texts = new HashSet<>();
        for (int i = 0; i < fewer.size(); i++) {
            texts.add(tree.text(fewer.get(i)));
        }
        for (int i = 0; i < others.size(); i++) {
            if (texts.contains(tree.text(others.get(i)))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether not all nodes of both have one and the same text. */
    private static boolean haveDifferent(NodeList left, NodeList right, NodeTree tree) {
        String one = tree.text(left.get(0));
        for (NodeList list : new NodeList[] {left, right}) {
            for (int i = 0; i < list.size(); i++) {
                if (!tree.text(list.get(i)).equals(one)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static double least(NodeList nodes, NodeTree tree) {
        double least = Double.NaN;
        for (int i = 0; i < nodes.size(); i++) {
            double number = Numbers.number(tree.text(nodes.get(i)));
            least = Double.isNaN(least) || number < least ? number : least;
        }
        return least;
    }

    private static double most(NodeList nodes, NodeTree tree) {
        double most = Double.NaN;
        for (int i = 0; i < nodes.size(); i++) {
            double number = Numbers.number(tree.text(nodes.get(i)));
            most = Double.isNaN(most) || number > most ? number : most;
        }
        return most;
    }

    private static boolean compareNumbers(Comparison comparison, double left, double right) {
        return switch (comparison) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
        };
    }

    private static boolean isEquality(Comparison comparison) {
        return comparison == Comparison.EQUAL || comparison == Comparison.NOT_EQUAL;
    }
}
