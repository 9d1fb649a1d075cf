package dev.penstock.http.text;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A JSON document under construction. It places the commas; its user closes every object and array. */
public final class JsonText {
    private final StringBuilder text = new StringBuilder();

    /** Whether the next value needs a comma before it. */
    private boolean follows;

    /** An empty document. */
    public JsonText() {}

    /** Opens an object. */
    public JsonText object() {
        return open('{');
    }

    /** Opens an object as a member. */
    public JsonText object(String name) {
        return name(name).object();
    }

    /** Opens an array as a member. */
    public JsonText array(String name) {
        return name(name).open('[');
    }

    /** Closes the object that was opened last. */
    public JsonText endObject() {
        return close('}');
    }

    /** Closes the array that was opened last. */
    public JsonText endArray() {
        return close(']');
    }

    /** Adds a whole number as a member. */
    public JsonText member(String name, long value) {
        return name(name).raw(Long.toString(value));
    }

    /** Adds a number with so many decimals as a member. */
    public JsonText member(String name, double value, int decimals) {
        return name(name).raw(String.format(Locale.ROOT, "%." + decimals + "f", value));
    }

    /** Adds a text, or null, as a member. */
    public JsonText member(String name, @Nullable String value) {
        name(name);
        return value == null ? raw("null") : element(value);
    }

    /** Adds a truth value as a member. */
    public JsonText member(String name, boolean value) {
        return name(name).raw(Boolean.toString(value));
    }

    /** Adds a text as an element. */
    public JsonText element(String value) {
        separate();
        Json.string(text, value);
        return this;
    }

    private JsonText name(String name) {
        separate();
        Json.string(text, name);
        text.append(':');
        follows = false;
        return this;
    }

    private JsonText raw(String value) {
        separate();
        text.append(value);
        return this;
    }

    private JsonText open(char bracket) {
        separate();
        text.append(bracket);
        follows = false;
        return this;
    }

    private JsonText close(char bracket) {
        text.append(bracket);
        follows = true;
        return this;
    }

    private void separate() {
        if (follows) {
            text.append(',');
        }
        follows = true;
    }

    /** Returns the document. */
    @Override
    public String toString() {
        return text.toString();
    }
}
