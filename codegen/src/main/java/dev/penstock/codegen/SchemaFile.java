package dev.penstock.codegen;

import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.codegen.schema.Choices;
import dev.penstock.codegen.schema.SchemaModel;
import dev.penstock.codegen.schema.SchemaNaming;
import dev.penstock.codegen.schema.SchemaParser;
import dev.penstock.codegen.schema.SchemaReader;
import dev.penstock.codegen.schema.SchemaText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The input of the generator: the tables, views and enums of a schema with the names that they get in Java, and what is
 * left out or mapped. It is read from a database, or from a file that was written of one and edited. Immutable.
 */
public final class SchemaFile {
    private static final long MAX_BYTES = 64L << 20;

    private final SchemaModel schema;

    private SchemaFile(SchemaModel schema) {
        this.schema = schema;
    }

    /**
     * Reads the schema of a database.
     *
     * @param source where one connection at a time comes from
     * @param schema the schema's name (on MariaDB and MySQL, the database's); null for the connection's own
     * @throws CodegenException if the database can't be read
     */
    public static SchemaFile of(DataSource source, @Nullable String schema) {
        return new SchemaFile(new SchemaNaming().name(SchemaReader.read(source, schema)));
    }

    /**
     * Reads a schema file.
     *
     * @throws CodegenException if it can't be read, or is not understood: with file, line and remedy
     */
    public static SchemaFile read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CodegenException(
                        file + " is longer than " + MAX_BYTES + " bytes: that is no schema file");
            }
            return parse(Files.readString(file), file.toString());
        } catch (CharacterCodingException e) {
            throw new CodegenException(file + " is not UTF-8 text: save it as such", e);
        } catch (IOException e) {
            throw new CodegenException(
                    "can't read the schema file "
                            + file
                            + " ("
                            + e.getClass().getSimpleName()
                            + "): check the path and its permissions",
                    e);
        }
    }

    /**
     * Reads the text of a schema file.
     *
     * @param place what it is called in messages
     * @throws CodegenException if it is not understood
     */
    public static SchemaFile parse(String text, String place) {
        SchemaModel parsed = new SchemaParser(text, place).parse();
        try {
            return new SchemaFile(new SchemaNaming().name(parsed));
        } catch (CodegenException e) {
            throw new CodegenException(place + ": " + e.getMessage(), e);
        }
    }

    /** The text of a schema file; the same for the same schema. */
    public String text() {
        return SchemaText.of(schema);
    }

    /**
     * Writes the text to a file, and makes its folder if need be.
     *
     * @throws CodegenException if it can't be written
     */
    public void write(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text());
        } catch (IOException e) {
            throw new CodegenException(
                    "can't write the schema file "
                            + file
                            + " ("
                            + e
                            + "): check the path and its permissions",
                    e);
        }
    }

    /**
     * This schema with the choices that were made in an earlier file of it: names, what is left out, what is mapped,
     * keys and references that the database does not know, and with its comments. What is new here gets names that are
     * not taken.
     */
    public SchemaFile withChoicesOf(SchemaFile earlier) {
        return new SchemaFile(new SchemaNaming().name(new Choices(earlier.schema).applyTo(schema)));
    }

    /**
     * What the database has and no code can be generated for, each in words, such as a foreign key into another schema;
     * nothing where this was read from a file.
     */
    public List<String> leftOut() {
        return schema.leftOut();
    }

    SchemaModel schema() {
        return schema;
    }
}
