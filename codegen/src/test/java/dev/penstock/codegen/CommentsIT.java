package dev.penstock.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Generated code for what a schema has beside names: comments, partitions, domains. */
class CommentsIT {
    private static final String PACKAGE = "com.example.comments";

    /** Every way out of a comment that Java and HTML have. */
    private static final String AWKWARD = "ends */ here, <b>&amp; @author {@code x} \\u002a/ Grüße";

    private static final String ESCAPED =
            "ends &#42;/ here, &#60;b&#62;&#38;amp; &#64;author &#123;&#64;code x&#125; &#92;u002a/ Grüße";

    @ParameterizedTest
    @EnumSource(Kind.class)
    void generate_comments_areJavadocAndStayInTheFile(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            create(database);
            SchemaFile schema = SchemaFile.of(database.dataSource(), null);
            SortedMap<String, String> files = new Generator(schema, PACKAGE).files();
            assertThat(
                            java.util.Objects.requireNonNull(files.get("Film.java"))
                                    .replace("\n *     ", " "))
                    .contains(" * <p>" + ESCAPED + "\n")
                    .containsPattern("@param title <code>title</code>, .*: ends")
                    .contains(": " + ESCAPED + "\n * @param length <code>length</code>, ");
            assertThat(files.get("Titles.java"))
                    .contains(kind == Kind.POSTGRESQL ? "<p>A view&#42;" : "A row of the view")
                    .doesNotContain("VIEW");
            Compiled.of(files, PACKAGE).load();
            SchemaFile parsed = SchemaFile.parse(schema.text(), "test");
            assertThat(parsed.text()).isEqualTo(schema.text());
            assertThat(new Generator(parsed, PACKAGE).files()).isEqualTo(files);
            assertThat(schema.withChoicesOf(parsed).text()).isEqualTo(schema.text());
        }
    }

    private static void create(TestDatabase database) {
        String text = AWKWARD;
        switch (database.kind()) {
            case POSTGRESQL ->
                    database.execute(
                            "create table film (id int primary key, title text not null, length int)",
                            "create index film_title on film (title)",
                            "create view titles as select title from film",
                            "comment on table film is '" + text + "'",
                            "comment on column film.title is '" + text + "'",
                            "comment on index film_title is 'of no table'",
                            "comment on view titles is 'A view*'");
            case MARIADB, MYSQL -> {
                String escaped = text.replace("\\", "\\\\");
                database.execute(
                        "create table film (id int primary key, title varchar(20) not null comment '"
                                + escaped
                                + "', length int) comment '"
                                + escaped
                                + "'",
                        "create view titles as select title from film");
            }
            case H2 ->
                    database.execute(
                            "create table film (id int primary key, title varchar(20) not null, length int)",
                            "create view titles as select title from film",
                            "comment on table film is '" + text + "'",
                            "comment on column film.title is '" + text + "'");
        }
    }

    @Test
    void generate_partitionedTable_isOneClass() throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRESQL)) {
            database.execute(
                    "create schema elsewhere",
                    "create table sale (id int, year int, note text, primary key (id, year)) partition by range (year)",
                    "create table sale_old partition of sale for values from (2000) to (2020) partition by list (year)",
                    "create table sale_2019 partition of sale_old for values in (2019)",
                    "create table elsewhere.sale_new partition of sale for values from (2020) to (2040)",
                    "create table refund (id int primary key, sale_id int, sale_year int,"
                            + " foreign key (sale_id, sale_year) references sale (id, year))");
            SchemaFile schema = SchemaFile.of(database.dataSource(), null);
            SortedMap<String, String> files = new Generator(schema, PACKAGE).files();
            assertThat(files).containsOnlyKeys("Refund.java", "Sale.java");
            assertThat(schema.leftOut()).isEmpty();
            assertThat(schema.text())
                    .contains(
                            "    key: [id, year]\n",
                            "columns: [sale_id, sale_year], table: sale, to: [id, year]");
            Compiled.of(files, PACKAGE).load();
        }
    }

    @Test
    void generate_domainsAndNativeTypes_areWhatTheyAreMadeOf() throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRESQL)) {
            database.execute(
                    "create domain amount as int not null check (value > 0)",
                    "create domain price as amount",
                    "create domain maybe as uuid",
                    "create table item (id uuid primary key, amount amount, price price, maybe maybe)",
                    "create view items as select * from item",
                    "insert into item values ('00000000-0000-0000-0000-000000000001', 2, 3, null)");
            SchemaFile schema = SchemaFile.of(database.dataSource(), null);
            SortedMap<String, String> files = new Generator(schema, PACKAGE).files();
            assertThat(files.get("Item.java"))
                    .contains("UUID id,", " int amount,", " int price,", "@Nullable UUID maybe)");
            // An outer join in a view gives NULL whatever the domain says.
            assertThat(files.get("Items.java")).contains("@Nullable Integer amount,");
            Map<String, Class<?>> classes = Compiled.of(files, PACKAGE).load();
            Entity<?> item =
                    (Entity<?>)
                            java.util.Objects.requireNonNull(classes.get(PACKAGE + ".Item"))
                                    .getField("TABLE")
                                    .get(null);
            TypedTable<?> table = TypedTable.of(Database.connect(database.dataSource()), item);
            assertThat(table.stream().map(Object::toString).toList())
                    .containsExactly(
                            "Item[id=00000000-0000-0000-0000-000000000001, amount=2, price=3, maybe=null]");
        }
    }

    @Test
    void generate_uuidAndBitOfMariaDb_areUuidAndBoolean() throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.MARIADB)) {
            database.execute(
                    "create table item (id uuid primary key, done bit(1) not null, open bit, flags bit(3))");
            SchemaFile schema = SchemaFile.of(database.dataSource(), null);
            SortedMap<String, String> files = new Generator(schema, PACKAGE).files();
            assertThat(files.get("Item.java"))
                    .contains(
                            "UUID id,", " boolean done,", "@Nullable Boolean open,", "Long flags)");
            Compiled.of(files, PACKAGE).load();
        }
    }
}
