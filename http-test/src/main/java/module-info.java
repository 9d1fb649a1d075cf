/** A client for tests of handlers. */
@org.jspecify.annotations.NullMarked
module dev.penstock.http.test {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires java.net.http;

    exports dev.penstock.http.test;
}
