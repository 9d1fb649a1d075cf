package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that a filter has wrapped, so that it has the body. */
@Timeout(60)
final class WrappedRequestTest {
    /** Has a body that can be read by nobody, as many filters that keep bodies have. */
    private static final class KeepsBodies extends HttpFilter {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(
                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public ServletInputStream getInputStream() {
                            return new Kept();
                        }
                    },
                    response);
        }
    }

    private static final class Kept extends ServletInputStream {
        @Override
        public boolean isFinished() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isReady() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read() {
            return -1;
        }
    }

    @Test
    void body_thatNobodyReads_isLeftToTheFilter() throws Exception {
        Running at =
                Container.tomcat(
                        Container.builder()
                                .accessLog(false)
                                .route("POST", "/", x -> x.respond(200, "a/b", "ignored")),
                        "/*",
                        30_000,
                        _ -> {},
                        List.of(new KeepsBodies()));
        try (RawClient raw = new RawClient(at.port())) {
            for (int i = 0; i < 3; i++) {
                raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
                assertThat(raw.reply().body()).isEqualTo("ignored");
            }
        } finally {
            at.stopAll();
        }
    }
}
