package dev.penstock.bench.requests;

import dev.penstock.http.container.ContainerRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A request for {@code /} that comes from this process; its response is dropped, and counted when it is complete. */
final class MemoryRequest implements ContainerRequest {
    private static final List<Map.Entry<String, String>> HEADERS =
            List.of(Map.entry("Host", "localhost"), Map.entry("Accept", "*/*"));

    private final CountDownLatch answered;

    MemoryRequest(CountDownLatch answered) {
        this.answered = answered;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String target() {
        return "/";
    }

    @Override
    public int applicationBelow() {
        return 0;
    }

    @Override
    public String mappedPath() {
        return "/";
    }

    @Override
    public int mountedBelow() {
        return 0;
    }

    @Override
    public Iterable<Map.Entry<String, String>> headers() {
        return HEADERS;
    }

    @Override
    public String remoteAddress() {
        return "127.0.0.1";
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public long bodyLength() {
        return 0;
    }

    @Override
    public void startReading() {}

    @Override
    public boolean canRead() {
        return false;
    }

    @Override
    public int read(byte[] into) {
        return -1;
    }

    @Override
    public void head(int status, Iterable<Map.Entry<String, String>> fields, long length) {}

    @Override
    public boolean canWrite() {
        return true;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void flush() {}

    @Override
    public void complete() {
        answered.countDown();
    }

    @Override
    public void giveUp() {
        answered.countDown();
    }

    @Override
    public void abort() {
        answered.countDown();
    }
}
