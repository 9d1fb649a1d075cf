package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Streams sorted by an enum that is one in the database too, declared in an order that is not that of its labels as
 * texts.
 */
class EnumOrderTest {
    private static final int ROWS = 40;

    /** In the order of the declaration, here and in the database. */
    private enum Rating {
        G("G"),
        PG("PG"),
        PG13("PG-13"),
        NONE("none"),
        NC17("NC-17");

        private final String label;

        Rating(String label) {
            this.label = label;
        }

        private static Rating of(String label) {
            return Stream.of(values()).filter(r -> r.label.equals(label)).findFirst().orElseThrow();
        }
    }

    /** The same constants in another order. */
    private enum Other {
        NC17,
        NONE,
        PG13,
        PG,
        G;

        private static String label(Other constant) {
            return Rating.valueOf(constant.name()).label;
        }

        private static Other of(String label) {
            return valueOf(Rating.of(label).name());
        }
    }

    private record Movie(int id, @Nullable Rating rating) {
        static final IntField<Movie> ID = IntField.of(Movie.class, "id", Movie::id);
        static final EnumField<Movie, Rating> RATING =
                EnumField.nullable(
                        Movie.class,
                        "rating",
                        Rating.class,
                        Movie::rating,
                        r -> r.label,
                        Rating::of);
        static final Entity<Movie> TABLE =
                Entity.of(
                        Movie.class,
                        "movie",
                        row ->
                                new Movie(
                                        row.getInt(0),
                                        row.isNull(1) ? null : Rating.of(row.getString(1))),
                        List.of(ID, RATING),
                        List.of(ID));
    }

    private record Odd(int id, @Nullable Other rating) {
        static final IntField<Odd> ID = IntField.of(Odd.class, "id", Odd::id);
        static final EnumField<Odd, Other> RATING =
                EnumField.nullable(
                        Odd.class, "rating", Other.class, Odd::rating, Other::label, Other::of);
        static final Entity<Odd> TABLE =
                Entity.of(
                        Odd.class,
                        "movie",
                        row ->
                                new Odd(
                                        row.getInt(0),
                                        row.isNull(1) ? null : Other.of(row.getString(1))),
                        List.of(ID, RATING),
                        List.of(ID));
    }

    private static final Map<String, Function<Stream<Movie>, Object>> IN_THE_DATABASE =
            Map.of(
                    "sorted",
                    s -> s.sorted(Movie.RATING.thenComparing(Movie.ID)).toList(),
                    "reversed",
                    s -> s.sorted(Movie.RATING.reversed().thenComparing(Movie.ID)).toList(),
                    "nulls first",
                    s -> s.sorted(Movie.RATING.nullsFirst().thenComparing(Movie.ID)).toList(),
                    "a page",
                    s ->
                            s.sorted(Movie.RATING.thenComparing(Movie.ID.reversed()))
                                    .skip(11)
                                    .limit(9)
                                    .toList(),
                    "figures of a page",
                    s ->
                            s.sorted(Movie.RATING.thenComparing(Movie.ID))
                                    .limit(13)
                                    .mapToInt(Movie.ID.asInt())
                                    .sum(),
                    "filtered",
                    s ->
                            s.filter(Movie.RATING.notEqual(Rating.PG))
                                    .sorted(Movie.RATING.thenComparing(Movie.ID))
                                    .map(Movie.ID)
                                    .toList());

    private static final Map<String, Function<Stream<Movie>, Object>> ANYWHERE =
            Map.of(
                    "distinct",
                    s -> s.distinct().sorted(Movie.RATING.thenComparing(Movie.ID)).toList(),
                    "max",
                    s ->
                            s.filter(Movie.RATING.isNotNull())
                                    .max(Movie.RATING.thenComparing(Movie.ID)),
                    "behind a cut",
                    s ->
                            s.sorted(Movie.ID)
                                    .limit(15)
                                    .sorted(Movie.RATING.thenComparing(Movie.ID))
                                    .toList());

    private static List<Movie> create(TestDatabase server) {
        String labels = "('G', 'PG', 'PG-13', 'none', 'NC-17')";
        boolean isType = server.kind() == Kind.POSTGRESQL;
        if (isType) {
            server.execute("create type rated as enum " + labels);
        }
        server.execute(
                "create table movie (id int primary key, rating "
                        + (isType ? "rated" : "enum " + labels)
                        + ")");
        List<Movie> movies = new ArrayList<>();
        for (int id = 0; id < ROWS; id++) {
            Rating rating = id % 7 == 3 ? null : Rating.values()[(id * 3) % Rating.values().length];
            movies.add(new Movie(id, rating));
            server.execute(
                    "insert into movie values (%d, %s)"
                            .formatted(id, rating == null ? "null" : "'" + rating.label + "'"));
        }
        return movies;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void sorted_byAnEnumOfTheDatabase_isInTheOrderOfTheConstants(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            List<Movie> list = create(server);
            TypedTable<Movie> movies = Database.connect(server.pooled()).table(Movie.TABLE);
            IN_THE_DATABASE.forEach((name, program) -> {
                assertThat(program.apply(movies.stream()))
                        .as(name)
                        .isEqualTo(program.apply(list.stream()));
                assertThat(movies.explain(program)).as(name).doesNotContain("JVM");
            });
            ANYWHERE.forEach((name, program) ->
                    assertThat(program.apply(movies.stream()))
                            .as(name)
                            .isEqualTo(program.apply(list.stream())));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void sorted_byConstantsInAnotherOrder_isDoneInTheJvm(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            List<Odd> list =
                    create(server).stream()
                            .map(m ->
                                    new Odd(
                                            m.id(),
                                            m.rating() == null
                                                    ? null
                                                    : Other.valueOf(m.rating().name())))
                            .toList();
            TypedTable<Odd> movies = Database.connect(server.pooled()).table(Odd.TABLE);
            FieldOrder<Odd> order = Odd.RATING.thenComparing(Odd.ID);
            assertThat(movies.stream().sorted(order).limit(20).toList())
                    .isEqualTo(list.stream().sorted(order).limit(20).toList());
            assertThat(movies.explain(movies.stream().sorted(order)))
                    .contains("because: sorted: the database has another order of Odd.rating");
        }
    }
}
