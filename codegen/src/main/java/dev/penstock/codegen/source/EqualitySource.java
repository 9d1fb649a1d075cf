package dev.penstock.codegen.source;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.schema.ColumnModel;
import dev.penstock.codegen.schema.JavaType;
import java.util.List;

/** The methods that compare and show a row, where those of a record would not do: arrays count by what is in them. */
final class EqualitySource {
    /** Of longer expressions, the compiler's stack may be too short. */
    private static final int MAX_JOINED = 100;

    private final EntitySource source;

    EqualitySource(EntitySource source) {
        this.source = source;
    }

    void write() {
        List<ColumnModel> columns = source.columns();
        String name = source.name();
        source.use("org.jspecify.annotations.Nullable");
        source.line("");
        source.line("    @Override");
        source.line("    public boolean equals(@Nullable Object other) {");
        if (columns.size() <= MAX_JOINED) {
            source.line("        return other instanceof " + name + " row");
            for (int i = 0; i < columns.size(); i++) {
                String end = i + 1 < columns.size() ? "" : ";";
                source.line("                && " + equal(columns.get(i)) + end);
            }
        } else {
            source.line("        if (!(other instanceof " + name + " row)) {");
            source.line("            return false;").line("        }");
            for (ColumnModel column : columns) {
                source.line("        if (!(" + equal(column) + ")) {");
                source.line("            return false;").line("        }");
            }
            source.line("        return true;");
        }
        source.line("    }").line("").line("    @Override").line("    public int hashCode() {");
        source.line("        int hash = 1;");
        for (ColumnModel column : columns) {
            source.line("        hash = 31 * hash + " + hash(column) + ";");
        }
        source.line("        return hash;").line("    }");
        source.line("").line("    @Override").line("    public String toString() {");
        source.line(
                "        StringBuilder text = new StringBuilder("
                        + JavaText.literal(name + "[")
                        + ");");
        for (int i = 0; i < columns.size(); i++) {
            ColumnModel column = columns.get(i);
            String label = (i == 0 ? "" : ", ") + column.javaName() + "=";
            source.line(
                    "        text.append("
                            + JavaText.literal(label)
                            + ").append("
                            + shown(column)
                            + ");");
        }
        source.line("        return text.append(']').toString();").line("    }");
    }

    private static String equal(ColumnModel column) {
        String name = column.javaName();
        String pair = "(this." + name + ", row." + name + ")";
        return switch (column.javaType()) {
            case BYTES -> "java.util.Arrays.equals" + pair;
            case FLOAT, DOUBLE, BOOLEAN, INT, LONG, CHAR ->
                    column.nullable()
                            ? "java.util.Objects.equals" + pair
                            : column.javaType().boxed + ".compare" + pair + " == 0";
            case STRING,
                    BIG_DECIMAL,
                    BIG_INTEGER,
                    LOCAL_DATE,
                    LOCAL_TIME,
                    LOCAL_DATE_TIME,
                    INSTANT,
                    UUID,
                    ENUM ->
                    "java.util.Objects.equals" + pair;
        };
    }

    private static String hash(ColumnModel column) {
        String name = "this." + column.javaName();
        return switch (column.javaType()) {
            case BYTES -> "java.util.Arrays.hashCode(" + name + ")";
            case FLOAT, DOUBLE, BOOLEAN, INT, LONG, CHAR ->
                    column.nullable()
                            ? "java.util.Objects.hashCode(" + name + ")"
                            : column.javaType().boxed + ".hashCode(" + name + ")";
            case STRING,
                    BIG_DECIMAL,
                    BIG_INTEGER,
                    LOCAL_DATE,
                    LOCAL_TIME,
                    LOCAL_DATE_TIME,
                    INSTANT,
                    UUID,
                    ENUM ->
                    "java.util.Objects.hashCode(" + name + ")";
        };
    }

    private static String shown(ColumnModel column) {
        String name = "this." + column.javaName();
        return column.javaType() == JavaType.BYTES
                ? "java.util.Arrays.toString(" + name + ")"
                : name;
    }
}
