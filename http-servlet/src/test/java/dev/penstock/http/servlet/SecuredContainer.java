package dev.penstock.http.servlet;

import dev.penstock.http.server.ServerBuilder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Containers in which a filter stands before some paths: as they come, and set to take all that they can be made to
 * take.
 */
enum SecuredContainer {
    JETTY_EE10(false),
    JETTY_EE10_LENIENT(true),
    JETTY_EE11(false),
    JETTY_EE11_LENIENT(true),
    TOMCAT(false),
    TOMCAT_LENIENT(true);

    private final boolean lenient;

    SecuredContainer(boolean lenient) {
        this.lenient = lenient;
    }

    /**
     * Starts it.
     *
     * @param context the path of its application
     * @param mapping of the servlet, from there on
     * @param filtered what the filter is mapped to
     */
    Running start(
            ServerBuilder routes, String context, String mapping, Filter filter, String filtered)
            throws Exception {
        PenstockServlet servlet = new PenstockServlet(routes);
        return switch (this) {
            case JETTY_EE10, JETTY_EE10_LENIENT ->
                    jetty(servlet, ee10(servlet, context, mapping, filter, filtered));
            case JETTY_EE11, JETTY_EE11_LENIENT ->
                    jetty(servlet, ee11(servlet, context, mapping, filter, filtered));
            case TOMCAT, TOMCAT_LENIENT -> tomcat(servlet, context, mapping, filter, filtered);
        };
    }

    private org.eclipse.jetty.server.Handler ee10(
            PenstockServlet servlet,
            String context,
            String mapping,
            Filter filter,
            String filtered) {
        var handler = new org.eclipse.jetty.ee10.servlet.ServletContextHandler();
        handler.setContextPath(context.isEmpty() ? "/" : context);
        var holder = new org.eclipse.jetty.ee10.servlet.ServletHolder(servlet);
        holder.setAsyncSupported(true);
        handler.addServlet(holder, mapping);
        var before = new org.eclipse.jetty.ee10.servlet.FilterHolder(filter);
        before.setAsyncSupported(true);
        handler.addFilter(before, filtered, EnumSet.of(DispatcherType.REQUEST));
        handler.getServletHandler().setDecodeAmbiguousURIs(lenient);
        return handler;
    }

    private org.eclipse.jetty.server.Handler ee11(
            PenstockServlet servlet,
            String context,
            String mapping,
            Filter filter,
            String filtered) {
        var handler = new org.eclipse.jetty.ee11.servlet.ServletContextHandler();
        handler.setContextPath(context.isEmpty() ? "/" : context);
        var holder = new org.eclipse.jetty.ee11.servlet.ServletHolder(servlet);
        holder.setAsyncSupported(true);
        handler.addServlet(holder, mapping);
        var before = new org.eclipse.jetty.ee11.servlet.FilterHolder(filter);
        before.setAsyncSupported(true);
        handler.addFilter(before, filtered, EnumSet.of(DispatcherType.REQUEST));
        handler.getServletHandler().setDecodeAmbiguousURIs(lenient);
        return handler;
    }

    private Running jetty(PenstockServlet servlet, org.eclipse.jetty.server.Handler handler)
            throws Exception {
        var jetty = new org.eclipse.jetty.server.Server();
        HttpConfiguration configuration = new HttpConfiguration();
        if (lenient) {
            configuration.setUriCompliance(UriCompliance.UNSAFE);
        }
        ServerConnector connector =
                new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        jetty.addConnector(connector);
        jetty.setHandler(handler);
        jetty.start();
        return new Running(connector.getLocalPort(), "", servlet::server, jetty::stop);
    }

    private Running tomcat(
            PenstockServlet servlet, String context, String mapping, Filter filter, String filtered)
            throws Exception {
        Path directory = Files.createTempDirectory("tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        if (lenient) {
            connector.setAllowBackslash(true);
            connector.setEncodedSolidusHandling("decode");
            connector.setEncodedReverseSolidusHandling("decode");
            connector.setProperty("relaxedPathChars", "\"<>[\\]^`{|}");
        }
        tomcat.setConnector(connector);
        Context application = tomcat.addContext(context, directory.toString());
        Wrapper wrapper = Tomcat.addServlet(application, "penstock", servlet);
        wrapper.setAsyncSupported(true);
        wrapper.setLoadOnStartup(1);
        application.addServletMappingDecoded(mapping, "penstock");
        FilterDef definition = new FilterDef();
        definition.setFilterName("guard");
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        application.addFilterDef(definition);
        FilterMap place = new FilterMap();
        place.setFilterName("guard");
        place.addURLPattern(filtered);
        application.addFilterMap(place);
        tomcat.start();
        return new Running(
                connector.getLocalPort(),
                "",
                servlet::server,
                () -> {
                    tomcat.stop();
                    tomcat.destroy();
                });
    }
}
