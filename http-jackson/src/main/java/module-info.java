/** JSON of handlers by Jackson 3. */
@org.jspecify.annotations.NullMarked
module dev.penstock.http.jackson {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires transitive tools.jackson.databind;

    exports dev.penstock.http.jackson;

    provides dev.penstock.http.JsonMapper with
            dev.penstock.http.jackson.JacksonMapper;
}
