package dev.penstock.query.sql.render;

import dev.penstock.query.Predicate;
import dev.penstock.query.TruthTest;
import dev.penstock.query.sql.statement.CaseVariants;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A relaxation of a condition to one that a database can do exactly: what it can't do is left out.
 *
 * @param exact whether the database can do a condition without parts
 */
public record PredicateRelaxation(java.util.function.Predicate<Predicate> exact) {
    private static final int KEEPS_LITERALS =
            Pattern.DOTALL
                    | Pattern.MULTILINE
                    | Pattern.UNIX_LINES
                    | Pattern.UNICODE_CHARACTER_CLASS;

    public Predicate of(Predicate predicate) {
        return of(predicate, TruthTest.IS_TRUE, 0);
    }

    private Predicate of(Predicate predicate, TruthTest test, int depth) {
        if (depth > PlanShape.MAX_DEPTH) {
            return Predicate.ALL;
        }
        return switch (predicate) {
            case Predicate.Not(Predicate inner) -> of(inner, test.ofComplement(), depth + 1);
            case Predicate.SqlNot(Predicate inner) -> of(inner, test.ofSqlNot(), depth + 1);
            case Predicate.And(List<Predicate> all) ->
                    test.isNegated() ? any(all, test, depth) : all(all, test, depth);
            case Predicate.Or(List<Predicate> any) ->
                    test.isNegated() ? all(any, test, depth) : any(any, test, depth);
            case Predicate.Matches(String column, String pattern, int flags) -> {
                // Asked even where it doesn't matter, for the column may not be there.
                yield exact.test(predicate) || test != TruthTest.IS_TRUE
                        ? Predicate.ALL
                        : prefixed(column, pattern, flags);
            }
            case Predicate.Text text
                    when text.ignoringCase()
                            && text.value().length() > CaseVariants.MAX_LENGTH
                            && test == TruthTest.IS_TRUE ->
                    leaf(CaseVariants.shortened(text));
            case Predicate.Comparison _,
                    Predicate.In _,
                    Predicate.InSubquery _,
                    Predicate.IsNull _,
                    Predicate.Text _,
                    Predicate.Relation _ ->
                    leaf(tested(predicate, test));
        };
    }

    private static Predicate tested(Predicate leaf, TruthTest test) {
        return switch (test) {
            case IS_TRUE -> leaf;
            case IS_NOT_TRUE -> new Predicate.Not(leaf);
            case IS_FALSE -> new Predicate.SqlNot(leaf);
            case IS_NOT_FALSE -> new Predicate.Not(new Predicate.SqlNot(leaf));
        };
    }

    private Predicate leaf(Predicate leaf) {
        return exact.test(leaf) ? leaf : Predicate.ALL;
    }

    private Predicate all(List<Predicate> parts, TruthTest test, int depth) {
        List<Predicate> kept = new ArrayList<>();
        for (Predicate part : parts) {
            Predicate wide = of(part, test, depth + 1);
            if (!wide.equals(Predicate.ALL)) {
                kept.add(wide);
            }
        }
        return kept.size() == 1 ? kept.getFirst() : new Predicate.And(kept);
    }

    private Predicate any(List<Predicate> parts, TruthTest test, int depth) {
        List<Predicate> kept = new ArrayList<>();
        boolean everything = false;
        for (Predicate part : parts) {
            Predicate wide = of(part, test, depth + 1);
            everything |= wide.equals(Predicate.ALL);
            kept.add(wide);
        }
        return everything ? Predicate.ALL : new Predicate.Or(kept);
    }

    /** Returns the letters and digits with which every match begins. */
    private Predicate prefixed(String column, String pattern, int flags) {
        int end = pattern.startsWith("^") ? 1 : 0;
        int start = end;
        while (end < pattern.length() && isLiteral(pattern.charAt(end))) {
            end++;
        }
        boolean repeated = end < pattern.length() && "?*{".indexOf(pattern.charAt(end)) >= 0;
        String prefix = pattern.substring(start, repeated ? Math.max(start, end - 1) : end);
        boolean known = (flags & ~KEEPS_LITERALS) == 0 && pattern.indexOf('|') < 0;
        return known && !prefix.isEmpty()
                ? leaf(
                        new Predicate.Text(
                                column, Predicate.TextOperation.STARTS_WITH, prefix, false))
                : Predicate.ALL;
    }

    private static boolean isLiteral(char c) {
        return c == ' ' || c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }
}
