package dev.penstock.http.servlet;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import jakarta.servlet.Filter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A place where handlers run: their own server, or a container. Each container has few threads, and speaks HTTP/2 on
 * the port of HTTP/1.1.
 */
enum Container {
    OWN {
        @Override
        Running start(ServerBuilder routes, String mapping, int idleMillis) {
            Server server = routes.port(0).start();
            return new Running(server.port(), "", () -> server, server::close);
        }
    },
    JETTY_EE10 {
        @Override
        Running start(ServerBuilder routes, String mapping, int idleMillis) throws Exception {
            var context = new org.eclipse.jetty.ee10.servlet.ServletContextHandler();
            PenstockServlet servlet = new PenstockServlet(routes);
            var holder = new org.eclipse.jetty.ee10.servlet.ServletHolder(servlet);
            holder.setAsyncSupported(true);
            context.addServlet(holder, mapping);
            return jetty(context, servlet, mapping, idleMillis);
        }
    },
    JETTY_EE11 {
        @Override
        Running start(ServerBuilder routes, String mapping, int idleMillis) throws Exception {
            var context = new org.eclipse.jetty.ee11.servlet.ServletContextHandler();
            PenstockServlet servlet = new PenstockServlet(routes);
            var holder = new org.eclipse.jetty.ee11.servlet.ServletHolder(servlet);
            holder.setAsyncSupported(true);
            context.addServlet(holder, mapping);
            return jetty(context, servlet, mapping, idleMillis);
        }
    },
    TOMCAT {
        @Override
        Running start(ServerBuilder routes, String mapping, int idleMillis) throws Exception {
            return tomcat(routes, mapping, idleMillis, _ -> {}, List.of());
        }
    };

    /** Held, so that they stay as they are set. */
    private static final List<Logger> LOGGERS =
            Stream.of("org.apache", "org.eclipse.jetty", "dev.penstock")
                    .map(Logger::getLogger)
                    .toList();

    static {
        // What breaks off is told by the tests.
        LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
    }

    /** One with as many event loops as the suite runs with. */
    static ServerBuilder builder() {
        return Server.builder().eventLoops(Integer.getInteger("penstock.eventLoops", 2));
    }

    /**
     * All of them; the own server alone where the suite is repeated with another number of event loops, of which a
     * container has none.
     */
    static Stream<Container> each() {
        return Boolean.getBoolean("penstock.repetition") ? Stream.of(OWN) : Stream.of(values());
    }

    /**
     * The same, over each protocol; Tomcat over HTTP/1.1 alone, since over HTTP/2 it leaves one of hundreds of
     * connections without an answer, whatever the servlet.
     */
    static Stream<Arguments> overEachProtocol() {
        return each().flatMap(container ->
                Stream.of(Protocol.values())
                        .filter(protocol -> container != TOMCAT || protocol != Protocol.HTTP_2)
                        .map(protocol -> Arguments.of(container, protocol)));
    }

    /** Below what a mapping such as {@code /api/*} adds to paths; connections may be idle for so long. */
    abstract Running start(ServerBuilder routes, String mapping, int idleMillis) throws Exception;

    private static String prefix(String mapping) {
        return mapping.substring(0, mapping.length() - 2);
    }

    private static Running jetty(
            org.eclipse.jetty.server.Handler context,
            PenstockServlet servlet,
            String mapping,
            int idleMillis)
            throws Exception {
        QueuedThreadPool threads = new QueuedThreadPool(8, 4);
        var jetty = new org.eclipse.jetty.server.Server(threads);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        ServerConnector connector =
                new ServerConnector(
                        jetty,
                        1,
                        1,
                        new HttpConnectionFactory(configuration),
                        new HTTP2CServerConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(idleMillis);
        jetty.addConnector(connector);
        jetty.setHandler(context);
        jetty.start();
        return new Running(
                connector.getLocalPort(), prefix(mapping), servlet::server, context::stop) {
            @Override
            void stopAll() throws Exception {
                jetty.stop();
            }
        };
    }

    /** Tomcat with further settings, and filters before the servlet. */
    static Running tomcat(
            ServerBuilder routes,
            String mapping,
            int idleMillis,
            Consumer<Connector> settings,
            List<Filter> filters)
            throws IOException, LifecycleException {
        Path directory = Files.createTempDirectory("tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", "8");
        connector.setProperty("connectionTimeout", Integer.toString(idleMillis));
        // Otherwise it leaves a request that came with the preface of HTTP/2 lie now and then,
        // until more comes.
        connector.setProperty("useAsyncIO", "false");
        connector.addUpgradeProtocol(new Http2Protocol());
        settings.accept(connector);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        PenstockServlet servlet = new PenstockServlet(routes);
        Wrapper wrapper = Tomcat.addServlet(context, "penstock", servlet);
        wrapper.setAsyncSupported(true);
        wrapper.setLoadOnStartup(1);
        context.addServletMappingDecoded(mapping, "penstock");
        for (Filter filter : filters) {
            FilterDef definition = new FilterDef();
            definition.setFilterName(filter.getClass().getName());
            definition.setFilter(filter);
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            FilterMap place = new FilterMap();
            place.setFilterName(definition.getFilterName());
            place.addURLPattern("/*");
            context.addFilterMap(place);
        }
        tomcat.start();
        return new Running(
                connector.getLocalPort(), prefix(mapping), servlet::server, context::stop) {
            @Override
            void stopAll() throws Exception {
                tomcat.stop();
                tomcat.destroy();
                delete(directory.toFile());
            }
        };
    }

    private static void delete(File file) {
        File[] children = file.listFiles();
        if (children != null) {
            for (File child : children) {
                delete(child);
            }
        }
        file.delete();
    }
}
