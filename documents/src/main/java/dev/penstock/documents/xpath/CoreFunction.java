package dev.penstock.documents.xpath;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A function of the core library of XPath 1.0. */
public enum CoreFunction {
    LAST(0, 0),
    POSITION(0, 0),
    COUNT(1, 1),
    ID(1, 1),
    LOCAL_NAME(0, 1),
    NAMESPACE_URI(0, 1),
    NAME(0, 1),
    STRING(0, 1),
    CONCAT(2, Integer.MAX_VALUE),
    STARTS_WITH(2, 2),
    CONTAINS(2, 2),
    SUBSTRING_BEFORE(2, 2),
    SUBSTRING_AFTER(2, 2),
    SUBSTRING(2, 3),
    STRING_LENGTH(0, 1),
    NORMALIZE_SPACE(0, 1),
    TRANSLATE(3, 3),
    BOOLEAN(1, 1),
    NOT(1, 1),
    TRUE(0, 0),
    FALSE(0, 0),
    LANG(1, 1),
    NUMBER(0, 1),
    SUM(1, 1),
    FLOOR(1, 1),
    CEILING(1, 1),
    ROUND(1, 1);

    private final int least;
    private final int most;

    CoreFunction(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /** The name in an expression. */
    public String written() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public boolean takes(int arguments) {
        return arguments >= least && arguments <= most;
    }

    /** The number of arguments that it takes, in words. */
    public String arity() {
        return least == most
                ? "" + least
                : most == Integer.MAX_VALUE ? least + " or more" : least + " or " + most;
    }

    /** Returns whether the argument must be a node-set. */
    public boolean takesNodes() {
        return switch (this) {
            case COUNT, LOCAL_NAME, NAMESPACE_URI, NAME, SUM -> true;
            case LAST,
                    POSITION,
                    ID,
                    STRING,
                    CONCAT,
                    STARTS_WITH,
                    CONTAINS,
                    SUBSTRING_BEFORE,
                    SUBSTRING_AFTER,
                    SUBSTRING,
                    STRING_LENGTH,
                    NORMALIZE_SPACE,
                    TRANSLATE,
                    BOOLEAN,
                    NOT,
                    TRUE,
                    FALSE,
                    LANG,
                    NUMBER,
                    FLOOR,
                    CEILING,
                    ROUND ->
                    false;
        };
    }

    /** Returns whether it reads the text of a node that it is given. */
    public boolean readsText() {
        return switch (this) {
            case LAST,
                    POSITION,
                    COUNT,
                    ID,
                    LOCAL_NAME,
                    NAMESPACE_URI,
                    NAME,
                    BOOLEAN,
                    NOT,
                    TRUE,
                    FALSE ->
                    false;
            case STRING,
                    CONCAT,
                    STARTS_WITH,
                    CONTAINS,
                    SUBSTRING_BEFORE,
                    SUBSTRING_AFTER,
                    SUBSTRING,
                    STRING_LENGTH,
                    NORMALIZE_SPACE,
                    TRANSLATE,
                    LANG,
                    NUMBER,
                    SUM,
                    FLOOR,
                    CEILING,
                    ROUND ->
                    true;
        };
    }

    public static @Nullable CoreFunction find(String name) {
        for (CoreFunction function : values()) {
            if (function.written().equals(name)) {
                return function;
            }
        }
        return null;
    }
}
