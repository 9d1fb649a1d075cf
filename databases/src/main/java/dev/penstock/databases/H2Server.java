package dev.penstock.databases;

import java.nio.file.Path;
import java.sql.SQLException;

/** H2 inside this JVM: fresh databases in memory, kept ones in a file. */
final class H2Server implements DatabaseServer {
    /** A minute for locks, where H2's two seconds may pass before a busy machine lets their holder go on. */
    private static final String SETTINGS = ";LOCK_TIMEOUT=60000";

    private final Path directory = ServerDirectory.lock("h2").path();

    @Override
    public String url(TestDatabase.Kind kind, String database) {
        String place =
                database.startsWith(TestDatabase.FRESH_PREFIX)
                        ? "mem:" + database + ";DB_CLOSE_DELAY=-1"
                        : "file:" + directory.resolve(database);
        return "jdbc:h2:" + place + SETTINGS;
    }

    @Override
    public void create(String database) throws SQLException {
        DatabaseServer.execute(url(TestDatabase.Kind.H2, database), USER, PASSWORD, "SELECT 1");
    }

    @Override
    public void drop(String database) throws SQLException {
        DatabaseServer.execute(
                url(TestDatabase.Kind.H2, database), USER, PASSWORD, "SHUTDOWN IMMEDIATELY");
    }
}
