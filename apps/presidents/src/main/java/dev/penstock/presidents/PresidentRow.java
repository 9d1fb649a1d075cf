package dev.penstock.presidents;

import org.jspecify.annotations.Nullable;

/**
 * A president as the page shows one: a view of a cursor's row, or an object of its own. The templates take either.
 */
public sealed interface PresidentRow permits President, CursorRow {
    /** The name. */
    String name();

    /** The first day in office, ISO 8601. */
    String from();

    /** The last day in office, ISO 8601; null for the incumbent. */
    @Nullable String to();

    /** One paragraph. */
    String summary();

    /** The picture, a JPEG. Valid until the next row is read. */
    Base64Text picture();
}
