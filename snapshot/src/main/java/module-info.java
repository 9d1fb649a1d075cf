/** Tables of a database in memory, in columns: the engine that answers plans from there. */
@org.jspecify.annotations.NullMarked
module dev.penstock.snapshot {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.query;
    requires jdk.management;

    exports dev.penstock.snapshot;
}
