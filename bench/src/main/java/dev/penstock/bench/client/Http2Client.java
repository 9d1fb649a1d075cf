package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Orders;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * A client that has many requests wait at once over HTTP/2 without TLS, in a JVM of its own. It takes the order {@code waits}: {@code port}, {@code path},
 * {@code answer}, {@code connections}, {@code streams} of each, and {@code patience} in milliseconds.
 */
public final class Http2Client {
    private final String path;
    private final String answer;
    private final int streams;
    private final CountDownLatch left;
    private final AtomicInteger right = new AtomicInteger();
    private final ConcurrentHistogram latency = new ConcurrentHistogram(3);

    private Http2Client(String path, String answer, int connections, int streams) {
        this.path = path;
        this.answer = answer;
        this.streams = streams;
        left = new CountDownLatch(connections * streams);
    }

    public static void main(String[] arguments) throws IOException {
        new Orders().on("waits", Http2Client::waits).serve(new Answer(Map.of()));
    }

    private static Answer waits(Answer order) throws InterruptedException {
        int connections = (int) order.whole("connections");
        Http2Client client =
                new Http2Client(
                        order.text("path"),
                        order.text("answer"),
                        connections,
                        (int) order.whole("streams"));
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        List<Channel> channels = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                channels.add(client.connect(group, (int) order.whole("port")));
            }
            boolean all = client.left.await(order.whole("patience"), TimeUnit.MILLISECONDS);
            return new Answer(
                    Map.of(
                            "right", Integer.toString(client.right.get()),
                            "all", Boolean.toString(all),
                            "p50", Double.toString(client.milliseconds(50)),
                            "p99", Double.toString(client.milliseconds(99))));
        } finally {
            channels.forEach(Channel::close);
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }

    private double milliseconds(double percentile) {
        return latency.getTotalCount() == 0 ? 0 : latency.getValueAtPercentile(percentile) / 1e6;
    }

    private Channel connect(EventLoopGroup group, int port) throws InterruptedException {
        Asking asking = new Asking();
        DefaultHttp2Connection connection = new DefaultHttp2Connection(false);
        Http2ConnectionHandler handler =
                new Http2ConnectionHandlerBuilder()
                        .connection(connection)
                        .frameListener(asking)
                        .build();
        asking.handler = handler;
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(handler)
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
    }

    /** One connection, which asks for everything when it has the server's settings. */
    private final class Asking extends Http2FrameAdapter {
        @SuppressWarnings("NullAway.Init") // set before the connection is
        private Http2ConnectionHandler handler;

        private boolean asked;
        private long start;
        private final StringBuilder[] bodies = new StringBuilder[streams];

        @Override
        public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) {
            if (asked) {
                return;
            }
            asked = true;
            start = System.nanoTime();
            Http2Headers head =
                    new DefaultHttp2Headers()
                            .method("GET")
                            .scheme("http")
                            .authority("127.0.0.1")
                            .path(path);
            for (int i = 0; i < streams; i++) {
                handler.encoder()
                        .writeHeaders(context, 2 * i + 1, head, 0, true, context.newPromise());
            }
            context.flush();
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int stream,
                Http2Headers head,
                int padding,
                boolean ends) {
            boolean good = "200".contentEquals(head.status()) && !ends;
            bodies[stream / 2] = new StringBuilder(good ? "" : "status " + head.status());
            if (ends) {
                left.countDown();
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int stream,
                Http2Headers head,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean ends) {
            onHeadersRead(context, stream, head, padding, ends);
        }

        @Override
        public int onDataRead(
                ChannelHandlerContext context,
                int stream,
                ByteBuf data,
                int padding,
                boolean ends) {
            StringBuilder body = bodies[stream / 2];
            body.append(data.toString(US_ASCII));
            if (ends) {
                if (answer.contentEquals(body)) {
                    right.incrementAndGet();
                    latency.recordValue(System.nanoTime() - start);
                }
                left.countDown();
            }
            return data.readableBytes() + padding;
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext context, int stream, long error) {
            left.countDown();
        }
    }
}
