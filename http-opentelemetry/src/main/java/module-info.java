/** Traces of requests by OpenTelemetry. */
@org.jspecify.annotations.NullMarked
module dev.penstock.http.opentelemetry {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;

    exports dev.penstock.http.opentelemetry;
}
