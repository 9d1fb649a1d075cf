package dev.penstock.documents.xpath;

import java.util.List;
import java.util.Random;

/**
 * A generator of expressions. It leaves out what the suite lists as answered wrong by an oracle: the namespace axis,
 * predicates that are computed numbers, and names of empty node-sets.
 */
final class RandomExpressions {
    private static final List<String> NAMES =
            List.of("a", "b", "c", "d.e", "p:a", "p:b", "q:a", "*", "p:*", "r");
    private static final List<String> ATTRIBUTES = List.of("@c", "@id", "@p:c", "@*", "@q:c");
    private static final List<String> LITERALS =
            List.of("'x'", "'y'", "'xy'", "'1'", "''", "' '", "$t", "'x '");
    private static final List<String> AXES =
            List.of(
                    "parent",
                    "ancestor",
                    "following-sibling",
                    "preceding-sibling",
                    "following",
                    "preceding",
                    "descendant",
                    "self",
                    "descendant-or-self",
                    "ancestor-or-self");
    private static final List<String> COMPARISONS =
            List.of("=", "=", "=", "=", "!=", "<", "<=", ">", ">=");

    private final Random random;

    RandomExpressions(Random random) {
        this.random = random;
    }

    String expression() {
        return random.nextInt(3) == 0 ? condition(2, false) : path(3, false);
    }

    private String path(int depth, boolean isRelative) {
        StringBuilder path = new StringBuilder(isRelative ? relativeStart() : absoluteStart());
        int steps = 1 + random.nextInt(3);
        for (int i = 0; i < steps; i++) {
            if (i > 0) {
                path.append(random.nextInt(5) == 0 ? "//" : "/");
            }
            boolean isLast = i == steps - 1;
            path.append(step(isLast));
            for (int p = random.nextInt(6); depth > 0 && p < 2; p++) {
                path.append('[').append(predicate(depth - 1)).append(']');
            }
        }
        return path.toString();
    }

    private String absoluteStart() {
        return switch (random.nextInt(4)) {
            case 0 -> "//";
            case 1 -> "/r//";
            default -> "/r/";
        };
    }

    private String relativeStart() {
        return switch (random.nextInt(12)) {
            case 0 -> ".//";
            case 1 -> "/r/";
            case 2 -> "../";
            default -> "";
        };
    }

    private String step(boolean isLast) {
        int kind = random.nextInt(20);
        if (isLast && kind < 5) {
            return pick(ATTRIBUTES);
        }
        if (isLast && kind == 5) {
            return "text()";
        }
        return switch (kind) {
            case 6 -> pick(AXES) + "::" + pick(NAMES);
            case 7 -> pick(AXES) + "::node()";
            case 8 -> "..";
            case 9 -> ".";
            default -> pick(NAMES);
        };
    }

    private String predicate(int depth) {
        return switch (random.nextInt(8)) {
            case 0 -> String.valueOf(1 + random.nextInt(2));
            case 1 -> random.nextBoolean() ? "last()" : "position() " + pick(COMPARISONS) + " 1";
            default -> condition(depth, true);
        };
    }

    private String condition(int depth, boolean isRelative) {
        String operand = isRelative ? operand(depth) : path(depth, false);
        return switch (random.nextInt(depth > 0 ? 16 : 9)) {
            case 0, 1, 2 -> operand + " = " + pick(LITERALS);
            case 3 -> pick(LITERALS) + " = " + operand;
            case 4 -> operand + " " + pick(COMPARISONS) + " " + random.nextInt(3);
            case 5 -> "contains(" + operand + ", " + pick(LITERALS) + ")";
            case 6 -> "starts-with(" + operand + ", " + pick(LITERALS) + ")";
            case 7 -> "boolean(" + operand + ") = " + (random.nextBoolean() ? "true()" : "false()");
            case 8 -> "(" + operand + " | " + operand(0) + ") = " + pick(LITERALS);
            case 9, 10 -> "not(" + condition(depth - 1, isRelative) + ")";
            case 11, 12 -> junction(" and ", depth, isRelative);
            case 13, 14 -> junction(" or ", depth, isRelative);
            default -> "count(" + operand + ") " + pick(COMPARISONS) + " " + random.nextInt(3);
        };
    }

    private String junction(String operator, int depth, boolean isRelative) {
        return "("
                + condition(depth - 1, isRelative)
                + operator
                + condition(depth - 1, isRelative)
                + ")";
    }

    private String operand(int depth) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> ".";
            case 2, 3 -> pick(ATTRIBUTES);
            case 4 -> "text()";
            default -> path(Math.max(0, depth - 1), true);
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
