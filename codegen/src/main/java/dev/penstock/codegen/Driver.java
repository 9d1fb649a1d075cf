package dev.penstock.codegen;

import dev.penstock.codegen.problem.CodegenException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The JDBC drivers that a generated project may need. */
enum Driver {
    POSTGRESQL(
            "postgresql",
            "org.postgresql",
            "postgresql",
            "org.postgresql.ds.PGSimpleDataSource",
            "setUrl"),
    MARIADB(
            "mariadb",
            "org.mariadb.jdbc",
            "mariadb-java-client",
            "org.mariadb.jdbc.MariaDbDataSource",
            "setUrl"),
    MYSQL("mysql", "com.mysql", "mysql-connector-j", "com.mysql.cj.jdbc.MysqlDataSource", "setUrl"),
    H2("h2", "com.h2database", "h2", "org.h2.jdbcx.JdbcDataSource", "setURL");

    final String scheme;
    final String group;
    final String artifact;

    /** The class of its DataSource, with package. */
    final String source;

    final String setUrl;

    Driver(String scheme, String group, String artifact, String source, String setUrl) {
        this.scheme = scheme;
        this.group = group;
        this.artifact = artifact;
        this.source = source;
        this.setUrl = setUrl;
    }

    static Driver of(String url) {
        return Arrays.stream(values())
                .filter(driver ->
                        url.regionMatches(
                                true,
                                0,
                                "jdbc:" + driver.scheme + ":",
                                0,
                                driver.scheme.length() + 6))
                .findFirst()
                .orElseThrow(() ->
                        new CodegenException(
                                "a project can be made for "
                                        + Arrays.stream(values())
                                                .map(driver -> "jdbc:" + driver.scheme + ":")
                                                .collect(Collectors.joining(", "))
                                        + " alone: generate the sources, and write its pom.xml by hand"));
    }

    /** The simple name of its DataSource's class. */
    String sourceName() {
        return source.substring(source.lastIndexOf('.') + 1);
    }
}
