package dev.penstock.http.server;

import dev.penstock.http.http2.FrameClient;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A version of HTTP by which tests send requests: handlers do the same over each. */
public enum Protocol {
    HTTP_1_1 {
        @Override
        public TestClient connect(int port, int receiveBuffer) throws IOException {
            return new OverHttp1(new RawClient(port, receiveBuffer));
        }
    },
    HTTP_2 {
        @Override
        public TestClient connect(int port, int receiveBuffer) throws IOException {
            return new OverHttp2(FrameClient.withReceiveBuffer(receiveBuffer, port));
        }
    };

    public final TestClient connect(int port) throws IOException {
        return connect(port, 0);
    }

    /** Connects a client whose receive buffer in the kernel has so many bytes; 0 for the kernel's choice. */
    public abstract TestClient connect(int port, int receiveBuffer) throws IOException;

    /** A client that sends one request after the other. */
    private abstract static class OneByOne implements TestClient {
        boolean bodiless;

        @Override
        public final RawClient.Reply reply() throws IOException {
            RawClient.Reply head = head();
            int status = head.status();
            boolean empty = bodiless || status / 100 == 1 || status == 204 || status == 304;
            return head.with(empty ? new byte[0] : body().readAllBytes());
        }
    }

    private static final class OverHttp1 extends OneByOne {
        private final RawClient client;
        private final List<String> trailers = new ArrayList<>();
        private InputStream body = InputStream.nullInputStream();

        OverHttp1(RawClient client) {
            this.client = client;
        }

        @Override
        public TestClient begin(String method, String path, String... headers) throws IOException {
            return begin(method, path, "Transfer-Encoding: chunked\r\n", headers);
        }

        @Override
        public TestClient send(String method, String path, String... headers) throws IOException {
            return begin(method, path, "", headers);
        }

        @Override
        public TestClient send(String method, String path, byte[] content, String... headers)
                throws IOException {
            String head = head(method, path, "Content-Length: " + content.length + "\r\n", headers);
            return sendAtOnce(head, content, "");
        }

        private TestClient begin(String method, String path, String framing, String[] headers)
                throws IOException {
            client.send(head(method, path, framing, headers));
            return this;
        }

        /** Sends it in one piece: a server that refuses it early may be gone before another one comes. */
        private TestClient sendAtOnce(String before, byte[] bytes, String after)
                throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(before.getBytes(StandardCharsets.ISO_8859_1));
            all.writeBytes(bytes);
            all.writeBytes(after.getBytes(StandardCharsets.ISO_8859_1));
            client.send(all.toByteArray());
            return this;
        }

        private String head(String method, String path, String framing, String[] headers) {
            StringBuilder head =
                    new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\n");
            head.append(framing);
            for (int i = 0; i < headers.length; i += 2) {
                head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            bodiless = method.equals("HEAD");
            return head + "\r\n";
        }

        @Override
        public TestClient part(byte[] bytes) throws IOException {
            return sendAtOnce(Integer.toHexString(bytes.length) + "\r\n", bytes, "\r\n");
        }

        @Override
        public TestClient last(byte[] bytes) throws IOException {
            return sendAtOnce(Integer.toHexString(bytes.length) + "\r\n", bytes, "\r\n0\r\n\r\n");
        }

        @Override
        public TestClient end(String... trailers) throws IOException {
            StringBuilder end = new StringBuilder("0\r\n");
            for (int i = 0; i < trailers.length; i += 2) {
                end.append(trailers[i]).append(": ").append(trailers[i + 1]).append("\r\n");
            }
            client.send(end + "\r\n");
            return this;
        }

        @Override
        public List<String> trailers() {
            return List.copyOf(trailers);
        }

        @Override
        public RawClient.Reply head() throws IOException {
            RawClient.Reply head = client.head();
            trailers.clear();
            body =
                    head.header("Transfer-Encoding").isPresent()
                            ? new BufferedInputStream(new Chunks(client, trailers::add))
                            : new ByteArrayInputStream(
                                    client.input()
                                            .readNBytes(
                                                    bodiless || head.status() == 304
                                                            ? 0
                                                            : head.header("Content-Length")
                                                                    .map(Integer::parseInt)
                                                                    .orElse(0)));
            return head;
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public void cancel() throws IOException {
            client.abort();
        }

        @Override
        public boolean endsCleanly() throws IOException {
            return client.atEnd();
        }

        @Override
        public void leave() throws IOException {
            client.socket().close();
        }
    }

    private static final class OverHttp2 extends OneByOne {
        private final FrameClient client;
        private int stream;
        private InputStream body = InputStream.nullInputStream();

        OverHttp2(FrameClient client) {
            this.client = client;
        }

        @Override
        public TestClient settle() throws IOException {
            client.readSettings();
            return this;
        }

        @Override
        public TestClient begin(String method, String path, String... headers) throws IOException {
            return begin(method, path, false, headers);
        }

        @Override
        public TestClient send(String method, String path, String... headers) throws IOException {
            return begin(method, path, true, headers);
        }

        @Override
        public TestClient send(String method, String path, byte[] content, String... headers)
                throws IOException {
            String[] all = Arrays.copyOf(headers, headers.length + 2);
            all[headers.length] = "content-length";
            all[headers.length + 1] = Integer.toString(content.length);
            begin(method, path, false, all);
            part(content);
            return end();
        }

        private TestClient begin(String method, String path, boolean last, String... headers)
                throws IOException {
            String[] lower = headers.clone();
            for (int i = 0; i < lower.length; i += 2) {
                lower[i] = lower[i].toLowerCase(Locale.ROOT);
            }
            bodiless = method.equals("HEAD");
            stream = client.request(method, path, last, lower);
            body = new BufferedInputStream(client.body(stream));
            return this;
        }

        @Override
        public TestClient part(byte[] bytes) throws IOException {
            client.dataWithinWindow(stream, bytes);
            return this;
        }

        @Override
        public TestClient end(String... trailers) throws IOException {
            if (trailers.length == 0) {
                client.data(stream, true);
            } else {
                String[] lower = trailers.clone();
                for (int i = 0; i < lower.length; i += 2) {
                    lower[i] = lower[i].toLowerCase(Locale.ROOT);
                }
                client.trailers(stream, lower);
            }
            return this;
        }

        @Override
        public List<String> trailers() {
            return client.trailers(stream);
        }

        @Override
        public RawClient.Reply head() throws IOException {
            FrameClient.Reply head = client.head(stream);
            if (head.status() == 0) {
                throw new IOException("reset with " + head.error());
            }
            List<String> lines = new ArrayList<>();
            head.headers().forEach(line -> lines.add(line.getKey() + ": " + line.getValue()));
            RawClient.Reply reply = new RawClient.Reply(head.status(), lines, new byte[0]);
            if (head.status() < 200) {
                client.forgetHead(stream);
            }
            return reply;
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public void cancel() throws IOException {
            client.cancel(stream);
        }

        @Override
        public boolean endsCleanly() {
            return client.end() == FrameClient.NO_ERROR;
        }

        @Override
        public void leave() throws IOException {
            client.socket().close();
        }
    }
}
