package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ACTIVE;
import static dev.penstock.query.typed.Thing.COLOR;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static dev.penstock.query.typed.Thing.SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Streams over a table of a database, and what of them becomes SQL. */
class TypedTableTest {
    private static final List<Thing> LIST = Things.some(60);
    private static TestDatabase server;
    private static TypedTable<Thing> things;

    @BeforeAll
    static void create() throws SQLException {
        server = TestDatabase.create(Kind.H2);
        Things.create(server, LIST);
        things = TypedTable.of(Database.connect(server.dataSource()), Thing.TABLE);
    }

    @AfterAll
    static void drop() {
        server.close();
    }

    @Test
    void count_ofAFilter_isOneQueryThatCounts() {
        String told =
                things.explain((Stream<Thing> s) -> {
                    long n = s.filter(LENGTH.greaterThan(60)).count();
                    assertThat(n).isEqualTo(LIST.stream().filter(LENGTH.greaterThan(60)).count());
                    return n;
                });
        assertThat(told).contains("SELECT COUNT(*) FROM").contains("?").doesNotContain("JVM");
    }

    @Test
    void stream_sortedAndCut_readsTheColumnThatItNeeds() {
        Stream<Thing> sorted =
                things.stream().sorted(LENGTH.reversed().thenComparing(NAME)).skip(7).limit(5);
        String told =
                things.explain((Stream<Thing> s) ->
                        s.sorted(LENGTH.reversed().thenComparing(NAME))
                                .skip(7)
                                .limit(5)
                                .mapToInt(ID.asInt())
                                .toArray());
        assertThat(told).contains("SELECT t.\"ID\" FROM").doesNotContain("JVM");
        assertThat(sorted.map(ID).toList())
                .isEqualTo(
                        LIST.stream()
                                .sorted(LENGTH.reversed().thenComparing(NAME))
                                .skip(7)
                                .limit(5)
                                .map(ID)
                                .toList());
    }

    @Test
    void stream_withALambda_handsTheRestToTheJvm() {
        Stream<String> names =
                things.stream()
                        .filter(ACTIVE.isTrue().and(LENGTH.isNotNull()))
                        .sorted(ID)
                        .filter(t -> t.id() > 10)
                        .map(t -> t.id() + "!");
        assertThat(Explain.of(names))
                .contains("WHERE")
                .contains("in the JVM, because it is code or no operation on fields: filter, map");
        assertThat(names.toList())
                .isEqualTo(
                        LIST.stream()
                                .filter(ACTIVE.isTrue().and(LENGTH.isNotNull()))
                                .filter(t -> t.id() > 10)
                                .map(t -> t.id() + "!")
                                .toList());
    }

    @Test
    void rows_ofAllColumns_areThoseOfTheList() {
        assertThat(things.stream().sorted(ID).toList()).usingRecursiveComparison().isEqualTo(LIST);
        assertThat(things.find(ID.equal(7)).orElseThrow().size()).isEqualTo(7_000_000_049L);
        assertThat(things.find(ID.equal(70))).isEmpty();
    }

    @Test
    void enum_sortedAsDeclared_isSortedInTheJvm() {
        assertThat(things.stream().sorted(COLOR.thenComparing(ID)).map(ID).toList())
                .isEqualTo(LIST.stream().sorted(COLOR.thenComparing(ID)).map(ID).toList());
    }

    @Test
    void matches_ofConditions_areAsked() {
        assertThat(things.stream().anyMatch(LENGTH.greaterThan(98))).isTrue();
        assertThat(things.stream().anyMatch(LENGTH.greaterThan(100))).isFalse();
        assertThat(things.stream().allMatch(SIZE.greaterThan(0))).isTrue();
        assertThat(things.stream().noneMatch(LENGTH.isNull())).isFalse();
        assertThat(things.stream().min(NAME.thenComparing(ID)).map(ID))
                .isEqualTo(LIST.stream().min(NAME.thenComparing(ID)).map(ID));
        assertThat(things.stream().max(LENGTH.nullsFirst()).map(LENGTH))
                .isEqualTo(LIST.stream().max(LENGTH.nullsFirst()).map(LENGTH));
    }

    @Test
    void binding_toATableThatDoesNotFit_saysTableFieldCauseAndRemedy() {
        IntField<Thing> wrong = IntField.of(Thing.class, "name", Thing::id);
        assertThatThrownBy(() -> bind("thing", wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Thing (table thing)")
                .hasMessageContaining("field Thing.name is a IntField")
                .hasMessageContaining("Generate the entity again");
        assertThatThrownBy(() -> bind("thing", IntField.of(Thing.class, "length", Thing::id)))
                .hasMessageContaining("never null");
        assertThatThrownBy(() -> bind("thing", IntField.of(Thing.class, "width", Thing::id)))
                .hasMessageContaining("no column width");
        assertThatThrownBy(() -> bind("thing2", ID)).hasMessageContaining("H2 has no such table");
    }

    private static Object bind(String table, Field<Thing, ?> field) {
        return TypedTable.of(
                things.engine(),
                Entity.of(Thing.class, table, _ -> LIST.getFirst(), List.of(field), List.of()));
    }

    @Test
    void stream_withAFieldOfAnotherTable_failsAtOnce() {
        IntField<Thing> other = IntField.of(Thing.class, "width", Thing::id);
        assertThatThrownBy(() -> things.stream().filter(other.equal(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table thing")
                .hasMessageContaining("width");
        assertThatThrownBy(() -> things.stream().sorted(other))
                .hasMessageContaining("Thing.width, which is no field of its entity Thing");
        assertThatThrownBy(() -> things.stream().limit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit(-1)");
    }
}
