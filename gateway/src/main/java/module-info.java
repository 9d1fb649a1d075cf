/** Rows over HTTP: URLs to plans, negotiation of formats, admission of bulk reads. */
@org.jspecify.annotations.NullMarked
module dev.penstock.gateway {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.format;
    requires transitive dev.penstock.http;
    requires transitive dev.penstock.query;

    exports dev.penstock.gateway;
}
