package dev.penstock.databases;

import java.nio.file.Path;
import java.sql.SQLException;

/** H2 inside this JVM: fresh databases in memory, kept ones in a file. */
final class H2Server implements DatabaseServer {
    private final Path directory = ServerDirectory.lock("h2").path();

    @Override
    public String url(TestDatabase.Kind kind, String database) {
        return database.startsWith(TestDatabase.FRESH_PREFIX)
                ? "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1"
                : "jdbc:h2:file:" + directory.resolve(database);
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
