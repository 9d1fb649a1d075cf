package dev.penstock.documents.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A key of the format: as it is stored, and in UTF-8. One conversion has one for each name. */
public final class Key implements Comparable<Key> {
    public static final String TEXT = "#text";
    public static final String CDATA = "#cdata";
    public static final String COMMENT = "#comment";
    public static final String INSTRUCTION = "#pi";
    public static final String ORDER = "#";
    public static final String DECLARATION = "#xml";
    public static final String INDENTATION = "#indent";

    public final String stored;
    public final byte[] bytes;

    /** The bytes that begin a member with this key, and an attribute with this name. */
    public final byte[] member;

    public final byte[] attribute;
    public final boolean isText;

    public Key(String stored) {
        this.stored = stored;
        this.bytes = stored.getBytes(StandardCharsets.UTF_8);
        this.member = ('"' + stored + "\":").getBytes(StandardCharsets.UTF_8);
        this.attribute = ("\"@" + stored + "\":").getBytes(StandardCharsets.UTF_8);
        this.isText = stored.equals(TEXT) || stored.equals(CDATA);
    }

    public static Key ofName(String name) {
        return new Key(stored(name));
    }

    /** Returns a name as it is stored: a dot is a separator in the paths of stores. */
    public static String stored(String name) {
        return name.indexOf('.') < 0 ? name : name.replace(".", "%2E");
    }

    /** Returns the name of an element or attribute from the key without {@code @}. */
    public static String name(String stored) {
        return stored.indexOf('%') < 0 ? stored : stored.replace("%2E", ".");
    }

    /** Compares keys as stores sort them: by the length in UTF-8, then by the bytes. */
    @Override
    public int compareTo(Key other) {
        return compare(bytes, other.bytes);
    }

    public static int compare(byte[] one, byte[] other) {
        int lengths = Integer.compare(one.length, other.length);
        return lengths != 0 ? lengths : Arrays.compareUnsigned(one, other);
    }

    @Override
    public String toString() {
        return stored;
    }
}
