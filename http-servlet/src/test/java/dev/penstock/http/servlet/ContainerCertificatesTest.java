package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Cookie;
import dev.penstock.http.Exchange;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.TestAuthority;
import dev.penstock.http.server.TestAuthority.Issued;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that show certificates to a container, which hands them on; and what else handlers see of its TLS. */
@Timeout(120)
final class ContainerCertificatesTest {
    private static final String PASSWORD = new String(TestAuthority.PASSWORD);

    private static TestAuthority authority;
    private static Issued alice;
    private static KeyStore own;
    private static KeyStore trusted;

    @BeforeAll
    static void make() throws Exception {
        authority = new TestAuthority("authority");
        alice = authority.issue("alice");
        own = authority.issue("localhost").store();
        trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.own());
    }

    private static Running start(Container container, ServerBuilder routes) throws Exception {
        return switch (container) {
            case OWN -> throw new IllegalArgumentException("not a container");
            case JETTY_EE10 -> {
                var context = new org.eclipse.jetty.ee10.servlet.ServletContextHandler();
                PenstockServlet servlet = new PenstockServlet(routes);
                var holder = new org.eclipse.jetty.ee10.servlet.ServletHolder(servlet);
                holder.setAsyncSupported(true);
                context.addServlet(holder, "/*");
                yield jetty(context, servlet);
            }
            case JETTY_EE11 -> {
                var context = new org.eclipse.jetty.ee11.servlet.ServletContextHandler();
                PenstockServlet servlet = new PenstockServlet(routes);
                var holder = new org.eclipse.jetty.ee11.servlet.ServletHolder(servlet);
                holder.setAsyncSupported(true);
                context.addServlet(holder, "/*");
                yield jetty(context, servlet);
            }
            case TOMCAT ->
                    Container.tomcat(
                            routes, "/*", 60_000, ContainerCertificatesTest::secure, List.of());
        };
    }

    private static Running jetty(org.eclipse.jetty.server.Handler context, PenstockServlet servlet)
            throws Exception {
        var jetty = new org.eclipse.jetty.server.Server();
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer());
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(own);
        tls.setKeyStorePassword(PASSWORD);
        tls.setTrustStore(trusted);
        tls.setWantClientAuth(true);
        ServerConnector connector =
                new ServerConnector(jetty, tls, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        jetty.addConnector(connector);
        jetty.setHandler(context);
        jetty.start();
        return new Running(connector.getLocalPort(), "", servlet::server, jetty::stop);
    }

    private static void secure(Connector connector) {
        SSLHostConfig host = new SSLHostConfig();
        host.setCertificateVerification("optional");
        host.setTrustStore(trusted);
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
        certificate.setCertificateKeystore(own);
        certificate.setCertificateKeyAlias("own");
        certificate.setCertificateKeystorePassword(PASSWORD);
        certificate.setCertificateKeyPassword(PASSWORD);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
    }

    private static void show(Exchange exchange) {
        String shown =
                exchange.clientCertificates().stream()
                        .map(certificate -> certificate.getSubjectX500Principal().getName())
                        .collect(Collectors.joining(" by "));
        exchange.cookie(Cookie.of("a", "1"))
                .respond(200, "text/plain", shown.isEmpty() ? "nobody" : shown);
    }

    private static HttpResponse<String> ask(Running at, @Nullable Issued shown) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder()
                        .sslContext(authority.client(shown))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            URI uri = URI.create("https://localhost:" + at.port() + "/");
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OWN")
    void certificate_ofAClient_isSeenByTheHandler(Container container) throws Exception {
        Running at = start(container, Container.builder().accessLog(false).get("/", x -> show(x)));
        try {
            HttpResponse<String> known = ask(at, alice);
            assertThat(known.body()).startsWith("CN=alice");
            assertThat(known.headers().firstValue("Set-Cookie"))
                    .contains("a=1; Path=/; Secure; HttpOnly; SameSite=Lax");
            assertThat(ask(at, null).body()).isEqualTo("nobody");
            Issued mallory = new TestAuthority("foreign").issue("mallory");
            assertThatThrownBy(() -> ask(at, mallory)).isInstanceOf(IOException.class);
        } finally {
            at.stopAll();
        }
    }
}
