/** Real databases, started for tests and experiments. Not part of what is shipped. */
@org.jspecify.annotations.NullMarked
module dev.penstock.databases {
    requires static transitive org.jspecify;
    requires transitive java.sql;

    exports dev.penstock.databases;
}
