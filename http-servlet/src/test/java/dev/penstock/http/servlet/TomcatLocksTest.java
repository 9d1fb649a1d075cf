package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.ServerBuilder;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tomcat calls listeners while it holds a lock of the connection, which some of its methods take. */
@Timeout(180)
final class TomcatLocksTest {
    private static final int WRITTEN = 60_000;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch writableAgain = new CountDownLatch(1);

    /**
     * Holds up the call that asks for the body until Tomcat is about to tell that the response can be written to again.
     */
    private final class HoldUp extends HttpFilter {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(
                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public ServletInputStream getInputStream() throws IOException {
                            return new Input(super.getInputStream());
                        }
                    },
                    new HttpServletResponseWrapper(response) {
                        @Override
                        public ServletOutputStream getOutputStream() throws IOException {
                            return new Output(super.getOutputStream());
                        }
                    });
        }
    }

    private final class Input extends ServletInputStream {
        private final ServletInputStream in;

        Input(ServletInputStream in) {
            this.in = in;
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            asked.countDown();
            try {
                assertThat(writableAgain.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            in.setReadListener(listener);
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return in.read(into, offset, length);
        }
    }

    private final class Output extends ServletOutputStream {
        private final ServletOutputStream out;

        Output(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public boolean isReady() {
            return out.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            out.setWriteListener(
                    new WriteListener() {
                        @Override
                        public void onWritePossible() throws IOException {
                            if (asked.getCount() == 0) {
                                writableAgain.countDown();
                            }
                            listener.onWritePossible();
                        }

                        @Override
                        public void onError(Throwable failure) {
                            listener.onError(failure);
                        }
                    });
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }

    @Test
    void body_askedForWhileTheResponseBecomesWritable_isReadAllTheSame() throws Exception {
        ServerBuilder routes =
                Container.builder()
                        .accessLog(false)
                        .route(
                                "POST",
                                "/",
                                x -> {
                                    ResponseBody body = x.body("application/x");
                                    body.write(ByteBuffer.wrap(new byte[WRITTEN]));
                                    body.flush();
                                    byte[] sent =
                                            Channels.newInputStream(x.requestBody()).readAllBytes();
                                    body.write(ByteBuffer.wrap(sent));
                                });
        Running tomcat =
                Container.tomcat(
                        routes,
                        "/*",
                        30_000,
                        connector -> connector.setProperty("socket.txBufSize", "4096"),
                        List.of(new HoldUp()));
        try (RawClient client = new RawClient(tomcat.port(), 4096)) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(client.reply().body()).hasSize(WRITTEN + 5).endsWith("hello");
        } finally {
            tomcat.stopAll();
        }
    }
}
