/** The presidents of the United States on a page that is streamed from a database to a browser. */
@org.jspecify.annotations.NullMarked
module dev.penstock.presidents {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.format;
    requires transitive dev.penstock.http;
    requires transitive dev.penstock.query;
    requires transitive java.sql;
    requires transitive gg.jte.runtime;
    requires ST4;

    exports dev.penstock.presidents;

    // The templates' fixed parts lie beside their classes as resources, which jte's runtime reads.
    opens dev.penstock.presidents.templates to
            gg.jte.runtime;
}
