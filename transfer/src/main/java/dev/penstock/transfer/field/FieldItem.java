package dev.penstock.transfer.field;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A value with its parameters. Immutable.
 *
 * @param parameters by name, in their order
 */
public record FieldItem(FieldValue value, Map<String, FieldValue> parameters) {
    public FieldItem {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** A value without parameters. */
    public static FieldItem of(FieldValue value) {
        return new FieldItem(value, Map.of());
    }
}
