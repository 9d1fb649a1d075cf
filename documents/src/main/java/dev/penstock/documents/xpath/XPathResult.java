package dev.penstock.documents.xpath;

import java.util.List;

/** The value of an expression on one document. */
public sealed interface XPathResult {
    /** A node-set, in document order; its list can't be changed. */
    record Nodes(List<XPathNode> nodes) implements XPathResult {}

    /** A string. */
    record Text(String value) implements XPathResult {}

    /** A number. {@link #text()} has its form in XPath. */
    record Num(double value) implements XPathResult {
        /** The number as XPath 1.0 writes it: without an exponent, whole numbers without a point. */
        public String text() {
            return Numbers.text(value);
        }
    }

    /** A boolean. */
    record Bool(boolean value) implements XPathResult {}
}
