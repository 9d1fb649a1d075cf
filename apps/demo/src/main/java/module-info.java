/** The demo: the runnable server on an embedded database with sample data and sample applications. */
@org.jspecify.annotations.NullMarked
module dev.penstock.demo {
    requires static org.jspecify;
    requires HdrHistogram;
    requires dev.penstock.codegen;
    requires dev.penstock.daytrader;
    requires dev.penstock.films;
    requires dev.penstock.presidents;
    requires dev.penstock.server;
    requires dev.penstock.service;
    requires info.picocli;
    requires java.management;

    // The options of the commands, and the pages' files.
    opens dev.penstock.demo to
            info.picocli,
            dev.penstock.http;
}
