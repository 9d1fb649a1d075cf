package dev.penstock.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A port of the loopback address that nobody is given who asks for any, while servers may come and go on it: it is
 * bound by a socket that does not listen.
 */
final class ReservedPort implements AutoCloseable {
    private final SocketChannel holder = SocketChannel.open();

    ReservedPort() throws IOException {
        holder.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    int number() throws IOException {
        return ((InetSocketAddress) holder.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
