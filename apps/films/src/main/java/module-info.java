/** The film store of the demo and the experiments: its tables, its data, and a page of streams over them. */
@org.jspecify.annotations.NullMarked
module dev.penstock.films {
    requires static org.jspecify;
    requires transitive dev.penstock.http;
    requires transitive dev.penstock.query;
    requires transitive java.sql;
    requires static org.postgresql.jdbc;

    exports dev.penstock.films;
    exports dev.penstock.films.page;
    exports dev.penstock.films.store;

    // The style sheet lies beside the page, and Resource reads it.
    opens dev.penstock.films.page to
            dev.penstock.http;
}
