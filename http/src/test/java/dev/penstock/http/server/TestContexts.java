package dev.penstock.http.server;

import dev.penstock.http.server.TestAuthority.Issued;
import java.security.SecureRandom;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Contexts of TLS as applications make them. */
final class TestContexts {
    private TestContexts() {}

    static SSLContext server(Issued shown) {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(shown.store(), TestAuthority.PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, new SecureRandom());
            return context;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
