package dev.penstock.documents.xpath;

/** A value of an expression on one document, with the conversions of XPath 1.0. */
public sealed interface Value {
    /** A node-set, in document order. */
    record Nodes(NodeList list) implements Value {}

    /** A string. */
    record Text(String value) implements Value {}

    /** A number. */
    record Num(double value) implements Value {}

    /** A boolean. */
    record Bool(boolean value) implements Value {}

    /** The boolean, as {@code boolean()} has it. */
    default boolean isTrue() {
        return switch (this) {
            case Nodes nodes -> !nodes.list().isEmpty();
            case Text text -> !text.value().isEmpty();
            case Num num -> num.value() != 0 && !Double.isNaN(num.value());
            case Bool bool -> bool.value();
        };
    }

    /** The string, as {@code string()} has it. */
    default String text(NodeTree tree) {
        return switch (this) {
            case Nodes nodes -> nodes.list().isEmpty() ? "" : tree.text(nodes.list().get(0));
            case Text text -> text.value();
            case Num num -> Numbers.text(num.value());
            case Bool bool -> Boolean.toString(bool.value());
        };
    }

    /** The number, as {@code number()} has it. */
    default double number(NodeTree tree) {
        return switch (this) {
            case Nodes nodes -> Numbers.number(text(tree));
            case Text text -> Numbers.number(text.value());
            case Num num -> num.value();
            case Bool bool -> bool.value() ? 1 : 0;
        };
    }
}
