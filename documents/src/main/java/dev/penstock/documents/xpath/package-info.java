/**
 * XPath 1.0 over the nodes of a document.
 *
 * <p>Jaxen parses an expression, which {@code ExpressionReader} makes an {@code Expression} of, a tree of values; an
 * {@link dev.penstock.documents.xpath.XPathQuery} is one that has been checked. {@link
 * dev.penstock.documents.xpath.NodeTree} holds the nodes of one document in arrays, filled by a {@link
 * dev.penstock.documents.xpath.NodeTreeBuilder} from JSON or XML. {@code Evaluator} computes the expression on it:
 * {@code AxisWalk} for steps, {@code Comparisons} and {@code CoreCalls} for the rest. The package {@code translate}
 * makes conditions of stores of expressions.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.xpath;
