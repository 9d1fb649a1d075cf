package dev.penstock.http.server;

/** A protocol that a {@link Listener} may speak. */
public enum HttpProtocol {
    /** HTTP/1.1 (RFC 9112), and 1.0 to clients that ask in it; and WebSockets, which begin with it. */
    HTTP_1_1("http/1.1"),

    /** HTTP/2 (RFC 9113): over TLS as the client chooses by ALPN, otherwise with prior knowledge. */
    HTTP_2("h2");

    private final String alpn;

    HttpProtocol(String alpn) {
        this.alpn = alpn;
    }

    /** What ALPN calls it (RFC 7301). */
    String alpn() {
        return alpn;
    }
}
