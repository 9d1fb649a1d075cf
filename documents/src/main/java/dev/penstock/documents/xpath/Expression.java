package dev.penstock.documents.xpath;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression of XPath 1.0 whose prefixes, variables and functions are resolved. */
public sealed interface Expression {
    /** A string: a literal or a variable's value. */
    record Text(String value) implements Expression {}

    /** A number: a literal or a variable's value. */
    record Num(double value) implements Expression {}

    /** A boolean: a variable's value. */
    record Bool(boolean value) implements Expression {}

    /** A disjunction: true if any operand is. */
    record Or(List<Expression> operands) implements Expression {}

    /** A conjunction: true if every operand is. */
    record And(List<Expression> operands) implements Expression {}

    /** A comparison. */
    record Compare(Comparison comparison, Expression left, Expression right)
            implements Expression {}

    /** A calculation. */
    record Calculate(Operator operator, Expression left, Expression right) implements Expression {}

    /** The negative of a number. */
    record Negate(Expression operand) implements Expression {}

    /** The nodes of any operand. */
    record Union(List<Expression> operands) implements Expression {}

    /** The nodes that fulfil all predicates, counted in document order. */
    record Filter(Expression nodes, List<Expression> predicates) implements Expression {}

    /**
     * A location path.
     *
     * @param start the nodes from which it goes, null if it goes from the context node
     */
    record Path(@Nullable Expression start, List<Step> steps) implements Expression {}

    /** The document node. */
    record Root() implements Expression {}

    /** A call of a function of the core library. */
    record Call(CoreFunction function, List<Expression> arguments) implements Expression {}

    /** A step of a location path. */
    record Step(Axis axis, NodeTest test, List<Expression> predicates) {}

    /** The operator of a comparison. */
    enum Comparison {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        /** The comparison that holds for exchanged operands. */
        public Comparison exchanged() {
            return switch (this) {
                case EQUAL, NOT_EQUAL -> this;
                case LESS -> GREATER;
                case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
                case GREATER -> LESS;
                case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            };
        }
    }

    /** The operator of a calculation. */
    enum Operator {
        PLUS,
        MINUS,
        TIMES,
        DIVIDED_BY,
        MODULO
    }
}
