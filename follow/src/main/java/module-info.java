/** The changes of a database, from its log, for tables in memory that follow them. */
@org.jspecify.annotations.NullMarked
module dev.penstock.follow {
    requires static transitive org.jspecify;
    requires static org.checkerframework.checker.qual;
    requires transitive dev.penstock.snapshot;
    requires java.logging;
    requires java.sql;
    requires mysql.binlog.connector.java;
    requires org.postgresql.jdbc;

    exports dev.penstock.follow;
}
