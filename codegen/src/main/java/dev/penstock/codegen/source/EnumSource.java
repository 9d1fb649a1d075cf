package dev.penstock.codegen.source;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.schema.Labels;
import java.util.ArrayList;
import java.util.List;

/** The source of an enum. */
public final class EnumSource {
    private final Labels labels;
    private final String about;

    /**
     * For one enum.
     *
     * @param about what its constants are, as the beginning of a sentence in HTML
     */
    public EnumSource(Labels labels, String about) {
        this.labels = labels;
        this.about = about;
    }

    /** The text of a file. */
    public String text(String packageName) {
        return "package "
                + packageName
                + ";\n\nimport org.jspecify.annotations.NullMarked;\n\n"
                + String.join("\n", lines()).replaceFirst("\n \\*/\n", "\n */\n@NullMarked\n")
                + "\n";
    }

    /** The declaration. */
    List<String> lines() {
        String name = labels.javaName();
        List<String> lines = new ArrayList<>();
        lines.add("/**");
        lines.add(" * " + about + ".");
        lines.add(" */");
        lines.add("public enum " + name + " {");
        List<Labels.Constant> constants = labels.constants();
        for (int i = 0; i < constants.size(); i++) {
            Labels.Constant constant = constants.get(i);
            String literal = JavaText.literal(constant.text());
            String end = i + 1 < constants.size() ? "," : ";";
            lines.add("    " + constant.javaName() + "(" + literal + ")" + end);
        }
        lines.addAll(
                """

                    private final String text;

                    NAME(String text) {
                        this.text = text;
                    }

                    /** Its text in the database. */
                    public String text() {
                        return text;
                    }

                    /** The constant of a text in the database. */
                    public static NAME of(String text) {
                        return switch (text) {
                """
                        .replace("NAME", name)
                        .lines()
                        .toList());
        for (Labels.Constant constant : constants) {
            lines.add(
                    "            case "
                            + JavaText.literal(constant.text())
                            + " -> "
                            + constant.javaName()
                            + ";");
        }
        lines.addAll(
                """
                            default ->
                                    throw new IllegalArgumentException(
                                            "the database has the label \\"" + text
                                                + "\\", which NAME has not; generate again");
                        };
                    }
                }\
                """
                        .replace("NAME", name)
                        .lines()
                        .toList());
        return lines;
    }
}
