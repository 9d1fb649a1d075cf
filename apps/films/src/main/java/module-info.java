/** Article 4's film store: its tables, its data, and what can be asked of them. */
@org.jspecify.annotations.NullMarked
module dev.penstock.films {
    requires static org.jspecify;
    requires transitive dev.penstock.http;
    requires transitive dev.penstock.query;
    requires transitive java.sql;
    requires static org.postgresql.jdbc;

    exports dev.penstock.films;

    // The style sheet lies beside the page, and Resource reads it.
    opens dev.penstock.films to
            dev.penstock.http;
}
