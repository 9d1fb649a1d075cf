/** The HTTP server's handlers in a servlet container. */
@org.jspecify.annotations.NullMarked
module dev.penstock.http.servlet {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires transitive jakarta.servlet;

    exports dev.penstock.http.servlet;
}
