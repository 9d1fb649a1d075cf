package dev.penstock.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.server.config.JdbcTarget;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionPoolsTest {
    private static final String SCHEME = "jdbc:stubborn:";

    /**
     * H2's driver under another scheme, with connections that refuse to be made read-only once they are open, as
     * SQLite's do.
     */
    private static final class StubbornDriver implements Driver {
        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith(SCHEME);
        }

        @Override
        public @Nullable Connection connect(String url, Properties info) throws SQLException {
            return acceptsURL(url) ? stubborn(url.substring(SCHEME.length())) : null;
        }

        private static Connection stubborn(String name) throws SQLException {
            Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + name);
            return (Connection)
                    Proxy.newProxyInstance(
                            ConnectionPoolsTest.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (_, method, arguments) -> {
                                if (method.getName().equals("setReadOnly")) {
                                    throw new SQLException("can't change the read-only flag");
                                }
                                try {
                                    return method.invoke(connection, arguments);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getLogger("stubborn");
        }
    }

    @Test
    void pool_ofConnectionsThatCannotBeMadeReadOnly_usesThemAsTheyAre() throws SQLException {
        Driver driver = new StubbornDriver();
        DriverManager.registerDriver(driver);
        try {
            JdbcTarget target = new JdbcTarget(SCHEME + "x", null, null, List.of());
            ConnectionProbe probe = ConnectionProbe.of(target, null);
            assertThat(probe.takesReadOnly()).isFalse();
            try (CircuitBreaker circuit = probe.circuit();
                    HikariDataSource pool = ConnectionPools.open(circuit, "stubborn", 2);
                    Connection connection = circuit.guarded(pool).getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        } finally {
            DriverManager.deregisterDriver(driver);
        }
    }

    /** It is asked for each time that the schema is read, and what is kept for it must not grow. */
    @Test
    void source_ofAPool_isOneHoweverOftenItIsAskedFor() {
        JdbcTarget target = new JdbcTarget("jdbc:h2:mem:one", null, null, List.of());
        try (CircuitBreaker circuit = ConnectionProbe.of(target, null).circuit();
                HikariDataSource pool = ConnectionPools.open(circuit, "one", 2)) {
            assertThat(circuit.guarded(pool)).isSameAs(circuit.guarded(pool));
        }
    }

    @Test
    void describe_whatIsMissing_isLeftOut() {
        assertThat(ConnectionProbe.describe("PostgreSQL", "shop", "public"))
                .isEqualTo("PostgreSQL, database shop, schema public");
        assertThat(ConnectionProbe.describe("MariaDB", "shop", null))
                .isEqualTo("MariaDB, database shop");
        assertThat(ConnectionProbe.describe("Other", "", null)).isEqualTo("Other");
    }
}
