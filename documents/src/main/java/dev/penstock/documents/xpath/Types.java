package dev.penstock.documents.xpath;

import java.util.List;

/** The types of expressions, as far as they are known before there is a document. */
public final class Types {
    private Types() {}

    public static boolean isNodes(Expression expression) {
        return switch (expression) {
            case Expression.Root root -> true;
            case Expression.Path path -> true;
            case Expression.Filter filter -> true;
            case Expression.Union union -> true;
            case Expression.Call call -> call.function() == CoreFunction.ID;
            case Expression.Text text -> false;
            case Expression.Num num -> false;
            case Expression.Bool bool -> false;
            case Expression.Or or -> false;
            case Expression.And and -> false;
            case Expression.Compare compare -> false;
            case Expression.Calculate calculate -> false;
            case Expression.Negate negate -> false;
        };
    }

    public static boolean isBoolean(Expression expression) {
        return switch (expression) {
            case Expression.Bool bool -> true;
            case Expression.Or or -> true;
            case Expression.And and -> true;
            case Expression.Compare compare -> true;
            case Expression.Call call -> isBoolean(call.function());
            case Expression.Text text -> false;
            case Expression.Num num -> false;
            case Expression.Calculate calculate -> false;
            case Expression.Negate negate -> false;
            case Expression.Union union -> false;
            case Expression.Filter filter -> false;
            case Expression.Path path -> false;
            case Expression.Root root -> false;
        };
    }

    private static boolean isBoolean(CoreFunction function) {
        return switch (function) {
            case STARTS_WITH, CONTAINS, BOOLEAN, NOT, TRUE, FALSE, LANG -> true;
            case LAST,
                    POSITION,
                    COUNT,
                    ID,
                    LOCAL_NAME,
                    NAMESPACE_URI,
                    NAME,
                    STRING,
                    CONCAT,
                    SUBSTRING_BEFORE,
                    SUBSTRING_AFTER,
                    SUBSTRING,
                    STRING_LENGTH,
                    NORMALIZE_SPACE,
                    TRANSLATE,
                    NUMBER,
                    SUM,
                    FLOOR,
                    CEILING,
                    ROUND ->
                    false;
        };
    }

    public static boolean isNumber(Expression expression) {
        return switch (expression) {
            case Expression.Num num -> true;
            case Expression.Calculate calculate -> true;
            case Expression.Negate negate -> true;
            case Expression.Call call -> isNumber(call.function());
            case Expression.Text text -> false;
            case Expression.Bool bool -> false;
            case Expression.Or or -> false;
            case Expression.And and -> false;
            case Expression.Compare compare -> false;
            case Expression.Union union -> false;
            case Expression.Filter filter -> false;
            case Expression.Path path -> false;
            case Expression.Root root -> false;
        };
    }

    private static boolean isNumber(CoreFunction function) {
        return switch (function) {
            case LAST, POSITION, COUNT, STRING_LENGTH, NUMBER, SUM, FLOOR, CEILING, ROUND -> true;
            case ID,
                    LOCAL_NAME,
                    NAMESPACE_URI,
                    NAME,
                    STRING,
                    CONCAT,
                    STARTS_WITH,
                    CONTAINS,
                    SUBSTRING_BEFORE,
                    SUBSTRING_AFTER,
                    SUBSTRING,
                    NORMALIZE_SPACE,
                    TRANSLATE,
                    BOOLEAN,
                    NOT,
                    TRUE,
                    FALSE,
                    LANG ->
                    false;
        };
    }

    /** Returns whether what a predicate says of a node depends on the node's position among others. */
    public static boolean isPositional(Expression predicate) {
        return isNumber(predicate) || usesPosition(predicate);
    }

    /** Returns whether the value depends on the position or the size of the expression's own context. */
    private static boolean usesPosition(Expression expression) {
        return switch (expression) {
            case Expression.Or or -> anyUsesPosition(or.operands());
            case Expression.And and -> anyUsesPosition(and.operands());
            case Expression.Union union -> anyUsesPosition(union.operands());
            case Expression.Compare compare ->
                    usesPosition(compare.left()) || usesPosition(compare.right());
            case Expression.Calculate calculate ->
                    usesPosition(calculate.left()) || usesPosition(calculate.right());
            case Expression.Negate negate -> usesPosition(negate.operand());
            case Expression.Filter filter -> usesPosition(filter.nodes());
            case Expression.Path path -> {
                Expression start = path.start();
                yield start != null && usesPosition(start);
            }
            case Expression.Call call ->
                    call.function() == CoreFunction.POSITION
                            || call.function() == CoreFunction.LAST
                            || anyUsesPosition(call.arguments());
            case Expression.Text text -> false;
            case Expression.Num num -> false;
            case Expression.Bool bool -> false;
            case Expression.Root root -> false;
        };
    }

    private static boolean anyUsesPosition(List<Expression> expressions) {
        return expressions.stream().anyMatch(Types::usesPosition);
    }
}
