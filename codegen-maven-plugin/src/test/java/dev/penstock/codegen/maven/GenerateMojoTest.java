package dev.penstock.codegen.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goal, with its parameters set as Maven sets them. */
class GenerateMojoTest {
    @TempDir private Path folder;
    private final MavenProject project = new MavenProject();
    private final GenerateMojo mojo = new GenerateMojo();

    @BeforeEach
    void configure() throws Exception {
        set("project", project);
        set("packageName", "a.b");
        set("outputDirectory", folder.resolve("out").toFile());
    }

    private void set(String parameter, Object value) throws ReflectiveOperationException {
        set(mojo, parameter, value);
    }

    private static void set(DatabaseMojo mojo, String parameter, Object value)
            throws ReflectiveOperationException {
        Class<?> type = mojo.getClass();
        while (Arrays.stream(type.getDeclaredFields())
                .noneMatch(f -> f.getName().equals(parameter))) {
            type = type.getSuperclass();
        }
        Field field = type.getDeclaredField(parameter);
        field.setAccessible(true);
        field.set(mojo, value);
    }

    private File schema(String text) throws Exception {
        return Files.writeString(folder.resolve("x.schema"), "penstock-schema: 2\ntables:\n" + text)
                .toFile();
    }

    @Test
    void generate_schemaFile_addsASourceFolder() throws Exception {
        set("schemaFile", schema("  film: {columns: {film_id: {type: int, nullable: false}}}\n"));
        mojo.execute();
        assertThat(folder.resolve("out/a/b/Film.java")).content().contains("record Film(");
        assertThat(project.getCompileSourceRoots())
                .containsExactly(folder.resolve("out").toString());
    }

    @Test
    void generate_database_keepsTheChoicesOfTheFile() throws Exception {
        String url = "jdbc:h2:mem:mojo;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create table film (film_id int primary key, title varchar(20))");
            set("jdbc", url);
            set("user", "sa");
            set("password", "");
            set(
                    "schemaFile",
                    schema("  film: {as: Movie, columns: {film_id: {type: int, as: id}}}\n"));
            mojo.execute();
            assertThat(folder.resolve("out/a/b/Movie.java"))
                    .content()
                    .contains("int id,", "@Nullable String title)");
            statement.execute("shutdown");
        }
    }

    @Test
    void schema_database_writesTheFileAndKeepsWhatIsInIt() throws Exception {
        String url = "jdbc:h2:mem:schema;DB_CLOSE_DELAY=-1";
        SchemaMojo goal = new SchemaMojo();
        Path file = folder.resolve("new/shop.schema");
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create table film (film_id int primary key)");
            assertThatThrownBy(goal::execute)
                    .isInstanceOf(MojoFailureException.class)
                    .hasMessage(
                            "configure <jdbc> with the URL of a database, and <schemaFile> with the schema file to write");
            set(goal, "jdbc", url);
            set(goal, "user", "sa");
            set(goal, "password", "");
            set(goal, "schemaFile", file.toFile());
            goal.execute();
            Files.writeString(file, Files.readString(file).replace("as: Film", "as: Movie # mine"));
            statement.execute("alter table film add title varchar(20)");
            goal.execute();
            assertThat(file).content().contains("  # mine\n", "as: title}\n");
            statement.execute("shutdown");
        }
    }

    @Test
    void generate_skip_doesNothing() throws Exception {
        set("skip", true);
        mojo.execute();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(project.getCompileSourceRoots()).isEmpty();
    }

    @Test
    void generate_nothingToReadFrom_saysWhatIsMissing() {
        assertThatThrownBy(mojo::execute)
                .isInstanceOf(MojoFailureException.class)
                .hasMessage(
                        "configure <jdbc> with the URL of a database, or <schemaFile> with a schema file");
    }

    @Test
    void generate_badSchemaFile_failsWithItsLine() throws Exception {
        set("schemaFile", schema("  film: {columns: {film_id: {type: number}}}\n"));
        assertThatThrownBy(mojo::execute)
                .isInstanceOf(MojoFailureException.class)
                .hasMessageContaining(
                        "x.schema, line 3, column 36: column film.film_id has the unknown type");
    }

    @Test
    void generate_unknownDriver_saysWhereItBelongs() throws Exception {
        set("jdbc", "jdbc:nothing:there");
        assertThatThrownBy(mojo::execute)
                .isInstanceOf(MojoFailureException.class)
                .hasMessageContaining(
                        "no driver is there for jdbc:nothing: URLs: add the driver to the <dependencies> of the plugin");
    }
}
