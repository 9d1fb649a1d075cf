/** The runnable server: command line, connection pool, wiring, and the demo. */
@org.jspecify.annotations.NullMarked
module dev.penstock.server {
    requires static org.jspecify;
    requires com.zaxxer.hikari;
    requires dev.penstock.films;
    requires dev.penstock.codegen;
    requires dev.penstock.gateway;
    requires dev.penstock.presidents;
    requires dev.penstock.snapshot;
    requires info.picocli;
    requires java.logging;
    requires java.management;
    requires micrometer.core;
    requires micrometer.registry.prometheus;

    uses java.sql.Driver;

    // The options of the commands, and the pages' files.
    opens dev.penstock.server to
            info.picocli,
            dev.penstock.http;
}
