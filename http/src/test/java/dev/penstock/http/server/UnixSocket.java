package dev.penstock.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A connection to a Unix domain socket, as clients of TCP use one. */
public final class UnixSocket extends Socket {
    private final SocketChannel channel;

    public UnixSocket(Path path) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
    }

    @Override
    public InputStream getInputStream() {
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream getOutputStream() {
        return Channels.newOutputStream(channel);
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void setSoTimeout(int millis) {}

    @Override
    public void setSoLinger(boolean on, int seconds) {}

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
