/**
 * The runnable server: its command line, its connections to the database, its pages and what operates it. Its packages
 * are open to the demo alone, which is the same server with sample applications.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the demo is built after this module
module dev.penstock.server {
    requires static org.jspecify;
    requires transitive com.zaxxer.hikari;
    requires dev.penstock.codegen;
    requires dev.penstock.documents;
    requires dev.penstock.follow;
    requires transitive dev.penstock.gateway;
    requires transitive dev.penstock.service;
    requires transitive dev.penstock.snapshot;
    requires transitive dev.penstock.transfer;
    requires transitive info.picocli;
    requires java.logging;
    requires java.management;
    requires io.prometheus.metrics.model;
    requires io.prometheus.metrics.tracer.common;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.mongodb.bson;
    requires org.mongodb.driver.core;
    requires org.mongodb.driver.sync.client;

    exports dev.penstock.server to
            dev.penstock.demo;
    exports dev.penstock.server.command to
            dev.penstock.demo;
    exports dev.penstock.server.config to
            dev.penstock.demo;
    exports dev.penstock.server.database to
            dev.penstock.demo;
    exports dev.penstock.server.log to
            dev.penstock.demo;
    exports dev.penstock.server.page to
            dev.penstock.demo;

    uses java.sql.Driver;

    opens dev.penstock.server.command to
            info.picocli;
    opens dev.penstock.server.config to
            info.picocli;

    // The pages' files lie beside their classes, and Resource reads them.
    opens dev.penstock.server.page to
            dev.penstock.http;
}
