package dev.penstock.query.sql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A factory of sockets with a bounded receive buffer, for MariaDB's driver, which has no setting for that and makes
 * this by its name. See {@link DriverSettings}.
 */
public final class BoundedSocketFactory extends SocketFactory {
    /** A factory without state. */
    public BoundedSocketFactory() {}

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(DriverSettings.RECEIVE_BUFFER_BYTES);
        return socket;
    }

    @Override
    @SuppressWarnings("AddressSelection") // that is what this method does
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    @SuppressWarnings("AddressSelection") // that is what this method does
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
            throws IOException {
        return connected(
                new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
            throws IOException {
        return connected(
                new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    private Socket connected(InetSocketAddress to, @Nullable InetSocketAddress from)
            throws IOException {
        Socket socket = createSocket();
        try {
            if (from != null) {
                socket.bind(from);
            }
            socket.connect(to);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
