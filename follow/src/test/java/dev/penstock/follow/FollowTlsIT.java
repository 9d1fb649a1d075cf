package dev.penstock.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds over TLS. */
class FollowTlsIT {
    private static String resource(String name) throws IOException {
        try (InputStream in = TestDatabase.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        }
    }

    /** A file of the server's own user that others can't read, without which it takes no key. */
    private static String written(String file, String text) {
        return "COPY (SELECT unnest(string_to_array('%s', '|'))) TO PROGRAM 'umask 077; cat > %s'"
                .formatted(text.strip().replace("\n", "|"), file);
    }

    @Test
    void postgres_certificateIsVerified_followsByTls(@TempDir Path directory) throws Exception {
        Path certificate = directory.resolve("server.crt");
        Files.writeString(certificate, resource("localhost.crt"));
        try (FollowedPostgres database =
                new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY)")) {
            database.execute(
                    written("server.crt", resource("localhost.crt")),
                    written("server.key", resource("localhost.key")),
                    "ALTER SYSTEM SET ssl = on",
                    "SELECT pg_reload_conf()");
            Properties properties = database.properties();
            properties.setProperty("sslmode", "verify-full");
            properties.setProperty("sslrootcert", certificate.toString());
            PostgresFeed feed =
                    PostgresFeed.builder(database.server().url(), properties)
                            .slot(database.slot())
                            .build();
            try (Snapshot snapshot = database.settings().follow(feed).load()) {
                database.execute("INSERT INTO notes VALUES (1)");
                snapshot.refresh();
                database.requireSame(snapshot);
                assertThat(
                                database.first(
                                        "SELECT ssl FROM pg_stat_ssl s JOIN pg_replication_slots r ON r.active_pid ="
                                                + " s.pid WHERE slot_name = '"
                                                + database.slot()
                                                + "'"))
                        .isEqualTo("t");
            } finally {
                database.execute("ALTER SYSTEM RESET ssl", "SELECT pg_reload_conf()");
            }
        }
    }

    @Test
    void mariadb_userWhoMayConnectByTlsAlone_follows(@TempDir Path directory) throws Exception {
        try (TestDatabase database = TestDatabase.createLogged(Kind.MARIADB)) {
            database.execute(
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "CREATE OR REPLACE USER safe@'%' IDENTIFIED BY 'secret' REQUIRE SSL",
                    "GRANT ALL ON *.* TO safe@'%'");
            List<Table> tables = List.of(Database.connect(database.dataSource()).table("t"));
            try (MariaDbFeed plain = LoggedMariaDb.feedOf(database.url(), "safe", "secret")) {
                assertThatThrownBy(() -> plain.start(tables, null))
                        .isInstanceOf(QueryException.class);
            }
            follow(database, "trust", tables);
            assertThatThrownBy(() -> follow(database, "verify-full", tables))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("unable to find valid certification path")
                    .hasMessageEndingWith(
                            "; the server's certificate has to be one that the JVM trusts"
                                    + " (-Djavax.net.ssl.trustStore=FILE), though the driver may take others; or verify"
                                    + " none: sslMode=trust, or REQUIRED for MySQL's driver");
            Path trusted = trustStore(directory);
            String property = "javax.net.ssl.trustStore";
            String before = System.setProperty(property, trusted.toString());
            try {
                follow(database, "verify-full", tables);
            } finally {
                if (before == null) {
                    System.clearProperty(property);
                } else {
                    System.setProperty(property, before);
                }
            }
            database.execute("DROP USER safe@'%'");
        }
    }

    private static void follow(TestDatabase database, String mode, List<Table> tables) {
        String url = database.url().replace("sslMode=disable", "sslMode=" + mode);
        try (MariaDbFeed feed = LoggedMariaDb.feedOf(url, "safe", "secret")) {
            assertThat(feed.start(tables, null)).isTrue();
            database.execute("DELETE FROM t", "INSERT INTO t VALUES (1)");
            assertThat(MariaDbFeedTests.changes(feed).tables())
                    .isEqualTo(Map.of("t", MariaDbFeedTests.keys(1)));
        }
    }

    private static Path trustStore(Path directory) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        CertificateFactory certificates = CertificateFactory.getInstance("X.509");
        store.setCertificateEntry(
                "server",
                certificates.generateCertificate(
                        new ByteArrayInputStream(resource("localhost.crt").getBytes(UTF_8))));
        Path file = directory.resolve("trusted.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            // Without a password, certificates are not encrypted, and the JVM needs none to read
            // them.
            store.store(out, null);
        }
        return file;
    }
}
