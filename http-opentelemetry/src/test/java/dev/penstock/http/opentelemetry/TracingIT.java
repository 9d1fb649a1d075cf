package dev.penstock.http.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Spans of requests, as an exporter gets them. */
@Timeout(60)
final class TracingIT extends ServerFixture {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider =
            SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build();
    private final OpenTelemetrySdk telemetry =
            OpenTelemetrySdk.builder().setTracerProvider(provider).build();

    @AfterEach
    void close() {
        telemetry.close();
    }

    private Server serve(UnaryOperator<ServerBuilder> routes) {
        return start(b -> routes.apply(b.observer(Tracing.of(telemetry))));
    }

    private static void tellSpan(Exchange exchange) {
        exchange.respond(200, "text/plain", Span.current().getSpanContext().getSpanId());
    }

    private static String ask(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path, headers).reply().text();
        }
    }

    private SpanData span() throws Exception {
        await("a span", () -> !exporter.getFinishedSpanItems().isEmpty());
        assertThat(exporter.getFinishedSpanItems()).hasSize(1);
        SpanData span = exporter.getFinishedSpanItems().getFirst();
        exporter.reset();
        return span;
    }

    private static String text(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }

    private static long number(SpanData span, String name) {
        Long value = span.getAttributes().get(AttributeKey.longKey(name));
        return value == null ? -1 : value;
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void request_thatIsAnswered_hasASpanByTheConventions(Protocol protocol) throws Exception {
        Server server = serve(b -> b.get("/films/{id}", TracingIT::tellSpan));
        String told =
                ask(
                        protocol,
                        server,
                        "GET",
                        "/films/7?a=1&sig=secret&b=2",
                        "User-Agent",
                        "test/1",
                        "traceparent",
                        "00-" + TRACE + "-" + PARENT + "-01");
        SpanData span = span();
        assertThat(span.getSpanId()).isEqualTo(told);
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(PARENT);
        assertThat(span.getName()).isEqualTo("GET /films/{id}");
        assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(text(span, "http.request.method")).isEqualTo("GET");
        assertThat(text(span, "http.route")).isEqualTo("/films/{id}");
        assertThat(text(span, "url.path")).isEqualTo("/films/7");
        assertThat(text(span, "url.query")).isEqualTo("a=1&sig=REDACTED&b=2");
        assertThat(text(span, "url.scheme")).isEqualTo("http");
        assertThat(text(span, "client.address")).isEqualTo("127.0.0.1");
        assertThat(text(span, "user_agent.original")).isEqualTo("test/1");
        assertThat(text(span, "network.protocol.version"))
                .isEqualTo(protocol == Protocol.HTTP_2 ? "2" : "1.1");
        assertThat(text(span, "error.type")).isEqualTo("null");
        assertThat(number(span, "http.response.status_code")).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void request_withoutATraceOrOfAMalformedOne_beginsOne(Protocol protocol) throws Exception {
        Server server = serve(b -> b.get("/", TracingIT::tellSpan));
        for (String header : new String[] {"", "00-" + TRACE + "-zz-01", "ff-" + TRACE + "-1-01"}) {
            ask(protocol, server, "GET", "/", "traceparent", header);
            SpanData span = span();
            assertThat(span.getTraceId()).isNotEqualTo(TRACE);
            assertThat(span.getParentSpanContext().isValid()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void request_thatWaits_hasItsSpanOnWhicheverThreadGoesOn(Protocol protocol) throws Exception {
        Handler onThread =
                x ->
                        x.suspend(Duration.ofSeconds(30))
                                .resumeAfter(Duration.ofMillis(5), TracingIT::tellSpan);
        Handler onLoop =
                Handler.nonBlocking(x ->
                        x.suspend(Duration.ofSeconds(30))
                                .resumeAfter(
                                        Duration.ofMillis(5),
                                        Handler.nonBlocking(TracingIT::tellSpan)));
        Server server = serve(b -> b.get("/thread", onThread).get("/loop", onLoop));
        for (String path : new String[] {"/thread", "/loop"}) {
            String told = ask(protocol, server, "GET", path);
            SpanData span = span();
            assertThat(span.getSpanId()).isEqualTo(told);
            assertThat(span.getEndEpochNanos() - span.getStartEpochNanos())
                    .isGreaterThan(4_000_000);
        }
        assertThat(ask(protocol, server, "GET", "/none")).doesNotContain("span");
        assertThat(span().getName()).isEqualTo("GET");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void request_thatFails_isAnErrorOnlyWhereTheServerIsAtFault(Protocol protocol)
            throws Exception {
        Server server =
                serve(b ->
                        b.get(
                                        "/client",
                                        _ -> {
                                            throw new HttpException(409, "of the client");
                                        })
                                .get(
                                        "/server",
                                        _ -> {
                                            throw new IllegalStateException("of the server");
                                        }));
        ask(protocol, server, "GET", "/client");
        SpanData client = span();
        assertThat(client.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(client.getEvents()).isEmpty();
        assertThat(number(client, "http.response.status_code")).isEqualTo(409);
        ask(protocol, server, "GET", "/server");
        SpanData failed = span();
        assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(failed, "error.type")).isEqualTo("500");
        assertThat(failed.getEvents()).hasSize(1);
        assertThat(failed.getEvents().getFirst().getAttributes().toString())
                .contains("of the server");
        ask(protocol, server, "FROBNICATE", "/server");
        SpanData other = span();
        assertThat(other.getName()).isEqualTo("HTTP");
        assertThat(text(other, "http.request.method")).isEqualTo("_OTHER");
        assertThat(text(other, "http.request.method_original")).isEqualTo("FROBNICATE");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void response_thatIsBroken_isAnErrorAndEndsItsSpanOnce(Protocol protocol) throws Exception {
        Server server =
                serve(b ->
                        b.get(
                                        "/broken",
                                        x -> {
                                            ResponseBody body = x.body("application/x");
                                            body.write(ByteBuffer.wrap(new byte[100_000]));
                                            throw new IllegalStateException("in the middle");
                                        })
                                .get(
                                        "/endless",
                                        x -> {
                                            ResponseBody body = x.body("application/x");
                                            while (true) {
                                                body.write(ByteBuffer.wrap(new byte[10_000]));
                                            }
                                        }));
        assertThatThrownBy(() -> ask(protocol, server, "GET", "/broken"))
                .isInstanceOf(IOException.class);
        SpanData broken = span();
        assertThat(text(broken, "error.type")).isEqualTo("reset");
        assertThat(broken.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(number(broken, "http.response.status_code")).isEqualTo(200);
        try (TestClient client = protocol.connect(server.port(), 4096)) {
            client.get("/endless");
            await("runs", () -> server.running() == 1);
            client.cancel();
            SpanData left = span();
            assertThat(text(left, "error.type")).isEqualTo("client-gone");
            assertThat(left.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void threads_afterARequest_haveNothingOfItsSpan(Protocol protocol) throws Exception {
        Server server =
                serve(b -> b.eventLoops(1).get("/a", Handler.nonBlocking(TracingIT::tellSpan)));
        Server plain =
                start(b -> b.eventLoops(1).get("/a", Handler.nonBlocking(TracingIT::tellSpan)));
        String first = ask(protocol, server, "GET", "/a");
        assertThat(span().getSpanId()).isEqualTo(first);
        assertThat(ask(protocol, server, "GET", "/a")).isNotEqualTo(first);
        assertThat(ask(protocol, plain, "GET", "/a")).isEqualTo("0000000000000000");
    }
}
