package dev.penstock.transfer.field;

import java.util.List;
import java.util.Map;

/** The reading and writing of structured fields. */
public final class StructuredField {
    private StructuredField() {}

    /**
     * Reads an Item.
     *
     * @param lines the values of all headers of the name; for an Item there can be only one
     */
    public static FieldItem item(List<String> lines) throws MalformedFieldException {
        FieldReader reader = new FieldReader(joined(lines));
        FieldItem item = reader.item();
        reader.end();
        return item;
    }

    /** Reads a List; one without members is empty, as is one whose header is missing. */
    public static List<FieldItem> list(List<String> lines) throws MalformedFieldException {
        FieldReader reader = new FieldReader(joined(lines));
        List<FieldItem> list = reader.list();
        reader.end();
        return list;
    }

    /** Reads a Dictionary; of several members of one name the last counts. */
    public static Map<String, FieldItem> dictionary(List<String> lines)
            throws MalformedFieldException {
        FieldReader reader = new FieldReader(joined(lines));
        Map<String, FieldItem> dictionary = reader.dictionary();
        reader.end();
        return dictionary;
    }

    private static String joined(List<String> lines) {
        return lines.size() == 1 ? lines.getFirst() : String.join(", ", lines);
    }

    /**
     * Writes an Item.
     *
     * @throws IllegalArgumentException if it has something that can't be written, such as a number of 16 digits
     */
    public static String write(FieldItem item) {
        return new FieldWriter().item(item).toString();
    }

    /**
     * Writes a List.
     *
     * @throws IllegalArgumentException as {@link #write(FieldItem)} has it
     */
    public static String write(List<FieldItem> list) {
        FieldWriter writer = new FieldWriter();
        list.forEach(writer::member);
        return writer.toString();
    }

    /**
     * Writes a Dictionary.
     *
     * @throws IllegalArgumentException as {@link #write(FieldItem)} has it
     */
    public static String write(Map<String, FieldItem> dictionary) {
        FieldWriter writer = new FieldWriter();
        dictionary.forEach(writer::member);
        return writer.toString();
    }
}
