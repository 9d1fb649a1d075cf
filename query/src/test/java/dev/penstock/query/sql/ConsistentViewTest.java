package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.databases.UnpooledDataSource;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries of a view see one state of the database, whatever is written meanwhile. */
class ConsistentViewTest {
    private static final String ROW = "insert into films values (%d, 'film %d')";

    /** Characters of a title that is wide, even if it is one less. */
    private static final int WIDE = 100_000;

    /** The server's first start may take longer than a test. */
    @BeforeAll
    static void start() {
        TestDatabase.create(Kind.MARIADB).close();
    }

    private static TestDatabase films(Kind kind) {
        TestDatabase server = TestDatabase.create(kind);
        String text = kind == Kind.MARIADB || kind == Kind.MYSQL ? "longtext" : "varchar(1000000)";
        server.execute("create table films (id int primary key, title " + text + ")");
        for (int id = 0; id < 50; id++) {
            server.execute(ROW.formatted(id, id));
        }
        return server;
    }

    private static List<List<String>> ids(Database database) {
        Table films = database.table("films");
        String id = films.columns().getFirst().name();
        Plan plan = Plan.of(films).select(List.of(new Plan.Item(id, "id")));
        return Rows.texts(database, plan);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void view_whileRowsAreWritten_showsNoneOfThat(Kind kind) {
        try (TestDatabase server = films(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            try (ConsistentView view = database.view(3, List.of(database.table("films")))) {
                assertThat(view.connections()).isEqualTo(kind == Kind.H2 ? 1 : 3);
                List<List<String>> before = ids(view.database());
                assertThat(before).hasSize(50);
                server.execute("delete from films where id < 10", ROW.formatted(99, 99));
                for (int i = 0; i < 4; i++) {
                    assertThat(ids(view.database())).containsExactlyInAnyOrderElementsOf(before);
                }
                assertThat(ids(database)).hasSize(41).contains(List.of("99"));
            }
            assertThat(source.open).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "H2", mode = EnumSource.Mode.EXCLUDE)
    void view_ofSeveralConnections_isTheSameOnEach(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.dataSource());
            Table films = database.table("films");
            try (ConsistentView view = database.view(2, List.of(films))) {
                server.execute("delete from films");
                List<Cursor> cursors = new ArrayList<>();
                for (int i = 0; i < view.connections(); i++) {
                    Cursor cursor = view.database().open(Plan.of(films));
                    cursors.add(cursor);
                    assertThat(cursor.next()).isTrue();
                }
                for (Cursor cursor : cursors) {
                    int rows = 1;
                    while (cursor.next()) {
                        rows++;
                    }
                    assertThat(rows).isEqualTo(50);
                    cursor.close();
                }
            }
        }
    }

    /** One connection has read the table, a change of it waits for that one, and the others would wait behind it. */
    @Test
    @Timeout(120)
    void view_whileATableIsToBeChanged_isReadToItsEnd() throws Exception {
        try (TestDatabase server = films(Kind.MARIADB);
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Database database = Database.connect(server.dataSource());
            Table films = database.table("films");
            Future<?> change;
            try (ConsistentView view = database.view(2, List.of(films));
                    Cursor first = view.database().open(Plan.of(films))) {
                assertThat(view.connections()).isEqualTo(2);
                assertThat(first.next()).isTrue();
                change =
                        threads.submit(
                                () -> server.execute("alter table films add column more int"));
                awaitWaiting(server);

                assertThat(ids(view.database())).hasSize(50);
            }
            change.get();
        }
    }

    private static void awaitWaiting(TestDatabase server) throws SQLException {
        String waiting =
                "select count(*) from information_schema.processlist"
                        + " where state = 'Waiting for table metadata lock' and info like 'alter%'";
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            boolean found = false;
            while (!found) {
                try (ResultSet count = statement.executeQuery(waiting)) {
                    count.next();
                    found = count.getInt(1) > 0;
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "H2", mode = EnumSource.Mode.EXCLUDE)
    void view_ofSeveralTables_hasSeveralConnections(Kind kind) {
        try (TestDatabase server = films(kind)) {
            server.execute("create table actors (id int primary key)");
            server.execute("create view long_films as select id from films where id > 10");
            Database database = Database.connect(server.dataSource());
            List<Table> tables = database.schema().tables();
            assertThat(tables).hasSize(3);
            try (ConsistentView view = database.view(3, tables)) {
                assertThat(view.connections()).isEqualTo(3);
                server.execute("delete from films");
                for (int i = 0; i < 4; i++) {
                    assertThat(ids(view.database())).hasSize(50);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void view_whoseOneRowQuestionsAreClosedEarly_keepsItsConnections(Kind kind) {
        try (TestDatabase server = films(kind)) {
            server.execute(
                    "create table actors (id int primary key)",
                    "insert into actors select id from films");
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            List<Table> tables = database.schema().tables();
            assertThat(tables).hasSize(2);
            source.calls.clear();
            try (ConsistentView view = database.view(tables.size(), tables)) {
                tables.forEach(table -> askForTheGreatestKey(view.database(), table));
                server.execute("delete from films", "delete from actors");
                List<Cursor> readers = new ArrayList<>();
                for (int i = 0; i < view.connections(); i++) {
                    Cursor reader = view.database().open(Plan.of(tables.get(i)));
                    readers.add(reader);
                    assertThat(reader.next()).isTrue();
                }
                readers.forEach(reader -> assertThat(Rows.texts(reader)).hasSize(49));
                assertThat(source.calls).doesNotContain("statement.cancel", "connection.abort");
            }
            assertThat(source.open).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void view_whoseLastConnectionWasGivenUp_saysSoAtOnce(Kind kind) {
        try (TestDatabase server = films(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            Table films = database.table("films");
            try (ConsistentView view = database.view(2, List.of(films))) {
                for (int i = 0; i < view.connections(); i++) {
                    try (Cursor cursor = view.database().open(Plan.of(films))) {
                        assertThat(cursor.next()).isTrue();
                        cursor.cancel();
                    }
                }
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> ids(view.database()))
                            .isInstanceOf(QueryException.class)
                            .hasMessage(
                                    "no connection to the database: no connection of the view is left: each broke,"
                                            + " or its query was cancelled or closed before its last row; open"
                                            + " another view");
                }
            }
            assertThat(source.open).isEmpty();
        }
    }

    /** Reads the one row, and doesn't look for the end behind it. */
    private static void askForTheGreatestKey(Database database, Table table) {
        String key = table.primaryKey().getFirst();
        Aggregate greatest = Aggregate.of(Aggregate.Function.MAX, key, "greatest");
        Plan question = Plan.of(table).aggregate(List.of(), List.of(greatest));
        try (Cursor cursor = database.open(question)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.getLong(0)).isEqualTo(49);
        }
    }

    /** Gives no further connection while so many are open. */
    private static DataSource atMost(int connections, RecordingDataSource source) {
        return new UnpooledDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                if (source.open.stream().filter(Connection.class::isInstance).count()
                        >= connections) {
                    throw new SQLTransientConnectionException("all are in use");
                }
                return source.getConnection();
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, 1, 1",
        "POSTGRESQL, 2, 1",
        "POSTGRESQL, 3, 2",
        "MARIADB, 1, 1",
        "MARIADB, 2, 1",
        "MARIADB, 4, 2",
        "H2, 1, 1"
    })
    void view_whereThePoolHasFewer_goesOnWithThem(Kind kind, int pool, int usable) {
        try (TestDatabase server = films(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(atMost(pool, source));
            try (ConsistentView view = database.view(3, List.of(database.table("films")))) {
                assertThat(view.connections()).isEqualTo(usable);
                assertThat(ids(view.database())).hasSize(50);
                server.execute("delete from films");
                assertThat(ids(view.database())).hasSize(50);
            }
            assertThat(source.open).isEmpty();
            assertThat(ids(database)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void view_thatCanNotBegin_leavesNoConnectionOpen(Kind kind) {
        try (TestDatabase server = films(kind)) {
            RecordingDataSource source =
                    new RecordingDataSource(
                            server.dataSource(),
                            RecordingDataSource.Fault.FAILS_TO_TELL_ITS_ISOLATION);
            Database database = Database.connect(source);
            assertThatThrownBy(() -> database.view(3, List.of(database.table("films"))))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("the isolation is not known");
            assertThat(source.open).isEmpty();
        }
    }

    @Test
    void view_thatCanNotGiveBackWhatItDoesNotNeed_isThereAndLeavesNoneOpen() throws SQLException {
        try (TestDatabase server = films(Kind.MARIADB);
                Connection writer = server.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("delete from films where id = 0");
            RecordingDataSource source =
                    new RecordingDataSource(
                            server.dataSource(), RecordingDataSource.Fault.FAILS_TO_CLOSE);
            Database database = Database.connect(server.dataSource()).over(source, null);
            ConsistentView view = database.view(3, List.of(database.table("films")));
            assertThat(source.open.stream().filter(Connection.class::isInstance)).hasSize(1);
            assertThat(ids(view.database())).hasSize(50);
            assertThatThrownBy(view::close).hasMessageContaining("the close failed");
            assertThat(source.open).isEmpty();
            writer.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "H2", mode = EnumSource.Mode.EXCLUDE)
    void view_interruptedWhileItWaitsForConnections_doesNotBegin(Kind kind) {
        try (TestDatabase server = films(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            DataSource interrupted =
                    new UnpooledDataSource() {
                        @Override
                        public Connection getConnection() throws SQLException {
                            if (source.open.isEmpty()) {
                                return source.getConnection();
                            }
                            Thread.currentThread().interrupt();
                            throw new SQLException("interrupted", new InterruptedException());
                        }
                    };
            Database database = Database.connect(interrupted);
            Table films = database.table("films");
            assertThatThrownBy(() -> database.view(3, List.of(films)))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(source.open).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "H2", mode = EnumSource.Mode.EXCLUDE)
    void view_ofAWideCell_readsItAsItWas(Kind kind) {
        try (TestDatabase server = films(kind)) {
            String update = "update films set title = '%s' where id = 7";
            server.execute(update.formatted("x".repeat(WIDE)));
            Database database = Database.connect(server.dataSource());
            Table films = database.table("films");
            try (ConsistentView view = database.view(1, List.of(films))) {
                server.execute(update.formatted("y".repeat(WIDE)));
                assertThat(Rows.texts(view.database(), Plan.of(films)))
                        .contains(List.of("7", "x".repeat(WIDE)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void wideCell_thatIsShorterWhenItIsRead_failsItsRow(Kind kind) {
        try (TestDatabase server = films(kind)) {
            String update = "update films set title = %s where id = 7";
            Database database = Database.connect(server.dataSource());
            Table films = database.table("films");
            String id = films.columns().getFirst().name();
            Plan inOrder = Plan.of(films).orderBy(List.of(new Plan.Order(id, false, false)));
            for (String shorter : List.of("'" + "y".repeat(WIDE - 1) + "'", "'y'", "null")) {
                server.execute(update.formatted("'" + "x".repeat(WIDE) + "'"));
                try (Cursor cursor = database.open(inOrder)) {
                    for (int row = 0; row < 7; row++) {
                        assertThat(cursor.next()).isTrue();
                    }
                    server.execute(update.formatted(shorter));
                    assertThatThrownBy(cursor::next)
                            .isInstanceOf(QueryException.class)
                            .hasMessageMatching(
                                    "a wide row of table (?i:films) was changed while it was read");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void wideCell_thatIsGivenTwice_isThereTwice(Kind kind) {
        try (TestDatabase server = films(kind)) {
            String wide = "€".repeat(500_000);
            server.execute("update films set title = '" + wide + "' where id = 7");
            Database database = Database.connect(server.dataSource());
            Table films = database.table("films");
            String title = films.columns().getLast().name();
            Plan twice =
                    Plan.of(films)
                            .select(
                                    List.of(
                                            new Plan.Item(title, "one"),
                                            new Plan.Item(title, "other")));
            assertThat(Rows.texts(database, twice)).hasSize(50).contains(List.of(wide, wide));
        }
    }

    @Test
    void view_whoseTablesCanNotBeLocked_hasOneConnection() throws SQLException {
        try (TestDatabase server = films(Kind.MARIADB);
                Connection writer = server.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("delete from films where id = 0");
            Database database = Database.connect(server.dataSource());
            try (ConsistentView view = database.view(3, List.of(database.table("films")))) {
                assertThat(view.connections()).isEqualTo(1);
                writer.commit();
                assertThat(ids(view.database())).hasSize(50);
            }
        }
    }

    @Test
    void view_afterClose_answersNothing() {
        try (TestDatabase server = films(Kind.H2)) {
            Database database = Database.connect(server.dataSource());
            ConsistentView view = database.view(1, List.of(database.table("films")));
            view.close();
            view.close();
            assertThatThrownBy(() -> ids(view.database()))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("the view is closed");
        }
    }

    @Test
    void view_ofNoConnection_isRefused() {
        try (TestDatabase server = films(Kind.H2)) {
            Database database = Database.connect(server.dataSource());
            assertThatThrownBy(() -> database.view(0, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a view of 0 connections");
        }
    }
}
