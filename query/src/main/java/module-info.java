/** Plans over tables, the cursor that reads their rows, and the engine that runs them as SQL. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the in-memory engine is compiled after this module
module dev.penstock.query {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires jdk.management;
    requires static org.postgresql.jdbc;

    exports dev.penstock.query;
    exports dev.penstock.query.sql;
    exports dev.penstock.query.typed;
    exports dev.penstock.query.typed.aggregate;
    exports dev.penstock.query.typed.field;
    exports dev.penstock.query.typed.mapping to
            dev.penstock.snapshot;
    exports dev.penstock.query.typed.shortcut to
            dev.penstock.snapshot;
}
