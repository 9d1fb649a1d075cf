package dev.penstock.http.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Connections of TLS as tests want them: with a server name, a version, protocols. */
final class TlsClient {
    static final String GET = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    private final SSLContext context;
    private final int port;
    private @Nullable String name;
    private List<String> versions = List.of("TLSv1.3", "TLSv1.2");
    private List<String> protocols = List.of();
    private List<String> signatures = List.of();
    private List<String> suites = List.of();
    private int receiveBuffer;

    TlsClient(SSLContext context, int port) {
        this.context = context;
        this.port = port;
    }

    TlsClient name(String asked) {
        name = asked;
        return this;
    }

    TlsClient version(String one) {
        versions = List.of(one);
        return this;
    }

    TlsClient protocols(String... offered) {
        protocols = List.of(offered);
        return this;
    }

    /** Takes certificates with these kinds of signatures only. */
    TlsClient signatures(String... schemes) {
        signatures = List.of(schemes);
        return this;
    }

    /** Speaks with this cipher suite only. */
    TlsClient suite(String one) {
        suites = List.of(one);
        return this;
    }

    /** Has the system keep so many bytes that are not read yet, and no more as it goes. */
    TlsClient receiveBuffer(int bytes) {
        receiveBuffer = bytes;
        return this;
    }

    /** Connects, and has the handshake done. */
    SSLSocket connect() throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(20_000);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(versions.toArray(String[]::new));
        parameters.setApplicationProtocols(protocols.toArray(String[]::new));
        if (name != null) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        if (!signatures.isEmpty()) {
            parameters.setSignatureSchemes(signatures.toArray(String[]::new));
        }
        if (!suites.isEmpty()) {
            parameters.setCipherSuites(suites.toArray(String[]::new));
        }
        socket.setSSLParameters(parameters);
        try {
            socket.startHandshake();
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
        return socket;
    }

    /** The certificate that the server shows. */
    X509Certificate presented() throws IOException {
        try (SSLSocket socket = connect()) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    /** All of the response to a request of HTTP/1.1. */
    String ask() throws IOException {
        try (SSLSocket socket = connect()) {
            socket.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
