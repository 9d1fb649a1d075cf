package dev.penstock.codegen.source;

import dev.penstock.codegen.schema.ColumnModel;
import java.util.List;

/** The body of a class with more columns than a record can have components. */
final class WideClassSource {
    private final EntitySource source;

    WideClassSource(EntitySource source) {
        this.source = source;
    }

    void write() {
        String name = source.name();
        List<ColumnModel> columns = source.columns();
        source.line("public final class " + name + source.implementing(9) + " {");
        source.fields();
        source.line("");
        for (ColumnModel column : columns) {
            source.line("    private final " + source.type(column) + " " + column.javaName() + ";");
        }
        source.line("");
        source.line("    private " + name + "(Cursor row) {");
        for (int i = 0; i < columns.size(); i++) {
            ColumnModel column = columns.get(i);
            source.line("        this." + column.javaName() + " = " + source.read(column, i) + ";");
        }
        source.line("    }").line("");
        source.line("    private static " + name + " read(Cursor row) {");
        source.line("        return new " + name + "(row);").line("    }");
        for (ColumnModel column : columns) {
            source.line("");
            if (column.comment().isEmpty()) {
                source.line(EntitySource.about("    /** ", "", column) + ". */");
            } else {
                source.line("    /**").line(EntitySource.about("     * ", "     * ", column));
                source.line("     */");
            }
            source.line("    public " + source.type(column) + " " + column.javaName() + "() {");
            source.line("        return this." + column.javaName() + ";").line("    }");
        }
        new EqualitySource(source).write();
        source.toChar();
        source.labels();
    }
}
