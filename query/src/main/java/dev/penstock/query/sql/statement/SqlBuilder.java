package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** A builder of SQL, with the values that it binds. */
public final class SqlBuilder {
    private final StringBuilder text = new StringBuilder(256);
    private final List<Integer> marks = new ArrayList<>();
    private final List<Literals.Binding> bindings = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();

    public SqlBuilder add(String sql) {
        text.append(sql);
        return this;
    }

    /** Adds an expression in which {@code ?} stands for the value. */
    public SqlBuilder bind(String template, Literals.Binding binding) {
        int place = template.indexOf('?');
        text.append(template, 0, place);
        marks.add(text.length());
        bindings.add(binding);
        text.append(template, place + 1, template.length());
        return this;
    }

    /** Returns the same, with the value made another first. */
    public SqlBuilder bind(
            String template, Literals.Binding binding, UnaryOperator<Object> conversion) {
        return bind(template, comparisons -> conversion.apply(binding.value(comparisons)));
    }

    /** Adds an expression in which {@code %s} stands for what the body adds. */
    public SqlBuilder wrap(String template, Runnable body) {
        int place = template.indexOf("%s");
        text.append(template, 0, place);
        body.run();
        text.append(template, place + 2, template.length());
        return this;
    }

    /** Returns the SQL, whose bound values are named by their index, counted from 1. */
    public String text(IntFunction<String> mark) {
        StringBuilder marked = new StringBuilder(text.length() + 32 * marks.size());
        int from = 0;
        for (int i = 0; i < marks.size(); i++) {
            marked.append(text, from, marks.get(i)).append(mark.apply(i + 1));
            from = marks.get(i);
        }
        return marked.append(text, from, text.length()).toString();
    }

    /**
     * A look at a bound text before the query is run.
     *
     * @param isNone a condition that holds of a text which is no value of the column's type, or fails for it
     * @param binding the text
     * @param column what it is compared with
     */
    public record Check(String isNone, Literals.Binding binding, Column column) {}

    /** Has a bound text looked at first. */
    public void check(Check check) {
        checks.add(check);
    }

    public List<Check> checks() {
        return checks;
    }

    public List<Literals.Binding> bindings() {
        return bindings;
    }
}
