package dev.penstock.snapshot.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Predicate;
import dev.penstock.snapshot.column.HeldPart;
import java.lang.reflect.RecordComponent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fingerprint of what is in memory of a table: of its database, its columns with their types, its key, and the
 * condition that its rows pass. Two of them are the same only if all of that is.
 */
public final class SchemaFingerprint {
    private final StringBuilder text = new StringBuilder();

    private SchemaFingerprint() {}

    /**
     * Returns the fingerprint in hexadecimal digits: the SHA-256 of all that it is of.
     *
     * @param database what tells one database from another
     * @param part what is in memory
     */
    public static String of(String database, HeldPart part) {
        SchemaFingerprint fingerprint = new SchemaFingerprint();
        fingerprint.add(database);
        fingerprint.add(part.held());
        fingerprint.add(part.rows());
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of()
                    .formatHex(digest.digest(fingerprint.text.toString().getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Adds a value: its class, and its components or its text, each with a length or a count before it. */
    private void add(@Nullable Object value) {
        switch (value) {
            case null -> text.append("null;");
            // Sets of values come in another sequence in each process.
            case Predicate.In(String column, List<Object> values) -> {
                add("in", column);
                addSorted(values);
            }
            case Predicate.Or(List<Predicate> any) -> {
                add("or", "");
                addSorted(any);
            }
            case Record record -> {
                add("record", record.getClass().getName());
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    add(component(record, component));
                }
            }
            case List<?> list -> {
                add("list", Integer.toString(list.size()));
                list.forEach(this::add);
            }
            case byte[] bytes -> add("bytes", HexFormat.of().formatHex(bytes));
            case Enum<?> constant -> add(constant.getDeclaringClass().getName(), constant.name());
            // Numbers, texts, dates and times, whose texts tell them apart.
            default -> add(value.getClass().getName(), value.toString());
        }
    }

    private void addSorted(List<?> values) {
        List<String> each = new ArrayList<>();
        for (Object value : values) {
            SchemaFingerprint alone = new SchemaFingerprint();
            alone.add(value);
            each.add(alone.text.toString());
        }
        each.sort(Comparator.naturalOrder());
        add(each);
    }

    private void add(String kind, String content) {
        text.append(kind).append(':').append(content.length()).append(':').append(content);
    }

    private static @Nullable Object component(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "component %s of %s can't be read".formatted(component.getName(), record), e);
        }
    }
}
