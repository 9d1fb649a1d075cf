package dev.penstock.query.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** SQL in the making, with the values that it binds. */
final class SqlText {
    private final StringBuilder text = new StringBuilder(256);
    private final List<Object> values = new ArrayList<>();
    private final IntFunction<String> mark;

    /** SQL whose bound values are named by their index, counted from 1. */
    SqlText(IntFunction<String> mark) {
        this.mark = mark;
    }

    SqlText add(String sql) {
        text.append(sql);
        return this;
    }

    /** Adds an expression in which {@code ?} stands for the value. */
    SqlText bind(String template, Object value) {
        int place = template.indexOf('?');
        values.add(value);
        text.append(template, 0, place)
                .append(mark.apply(values.size()))
                .append(template, place + 1, template.length());
        return this;
    }

    String text() {
        return text.toString();
    }

    List<Object> values() {
        return values;
    }
}
