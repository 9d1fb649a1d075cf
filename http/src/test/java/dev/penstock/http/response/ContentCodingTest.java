package dev.penstock.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ContentCodingTest {
    private static @Nullable String name(String... headers) {
        return new ContentCoders(List.of(), 0).name(List.of(headers));
    }

    @Test
    void gzip_isAcceptedByQuality() {
        for (String header :
                List.of(
                        "gzip",
                        "GZip",
                        "x-gzip",
                        "*",
                        "deflate, gzip;q=0.001",
                        "identity;q=0, *")) {
            assertThat(name(header)).as(header).isEqualTo("gzip");
        }
        for (String header :
                List.of(
                        "",
                        "br",
                        "gzip;q=0",
                        "gzip;q=0.000, *",
                        "*;q=0",
                        "gzip;q=x",
                        "gzip;q=2",
                        "identity, gzip;q=0.9",
                        "gzipped")) {
            assertThat(name(header)).as(header).isNull();
        }
        assertThat(name("br", "gzip")).isEqualTo("gzip");
        assertThat(name()).isNull();
    }

    @Test
    void mediaType_ofText_isCompressible() {
        for (String type :
                List.of("text/csv; charset=utf-8", "Application/JSON", "application/x+xml")) {
            assertThat(ContentCoding.compressible(type)).as(type).isTrue();
        }
        for (String type :
                List.of("image/jpeg", "application/octet-stream", "text/event-stream", "")) {
            assertThat(ContentCoding.compressible(type)).as(type).isFalse();
        }
    }
}
