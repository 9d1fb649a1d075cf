package dev.penstock.bench.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A client that carries out a {@link Load} in one thread, so that a thousand clients cost little beside the server
 * that they measure. Over HTTP/1.1 each client has a connection; over HTTP/2 it has a stream at a time of one that
 * several share.
 */
final class LoadClient {
    private static final int MAX_LINE = 8192;
    private static final int MAX_READ = 256 * 1024;

    /** What the kernel takes for a slow client; else its buffer, not the client, would be what the server sees. */
    private static final int SLOW_RECEIVE_BUFFER = 4096;

    private final Load load;
    private final EventLoop loop;
    private final List<LoadGroup> groups = new ArrayList<>();
    private final List<LoadConnection> connections = new ArrayList<>();
    private final List<Channel> shared = new ArrayList<>();
    private final CountDownLatch unfinished;

    private LoadClient(Load load, EventLoop loop) {
        this.load = load;
        this.loop = loop;
        int clients = load.groups().stream().mapToInt(Load.Group::clients).sum();
        unfinished = new CountDownLatch(load.endsByItself() ? clients : clients + 1);
    }

    /** Carries out a load. Returns the figures of each group by its name. */
    static Map<String, LoadFigures> run(Load load) throws InterruptedException, ExecutionException {
        EventLoopGroup thread = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            return new LoadClient(load, thread.next()).run();
        } finally {
            thread.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }

    private Map<String, LoadFigures> run() throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        long opens = start + load.ramp().toNanos();
        long closes = opens + load.window().toNanos();
        for (Load.Group group : load.groups()) {
            LoadGroup counted = new LoadGroup(group, opens, closes);
            groups.add(counted);
            addConnections(counted, start);
        }
        unfinished.await(closes - System.nanoTime(), TimeUnit.NANOSECONDS);
        long ended = load.endsByItself() ? Math.min(System.nanoTime(), closes) : closes;
        return loop.submit(() -> end(ended)).get();
    }

    private Map<String, LoadFigures> end(long ended) {
        Map<String, LoadFigures> figures = new LinkedHashMap<>();
        connections.forEach(connection -> connection.giveUp(ended));
        groups.forEach(group -> figures.put(group.group().name(), group.figures(ended)));
        shared.forEach(Channel::close);
        return figures;
    }

    private void addConnections(LoadGroup counted, long start) throws InterruptedException {
        Load.Group group = counted.group();
        long interval = group.interval().toNanos();
        long rampUp = group.rampUp().toNanos();
        LoadConnection.Opener opener = answers -> http1(group, answers);
        for (int i = 0; i < group.clients(); i++) {
            if (group.streams() > 0 && i % group.streams() == 0) {
                Channel parent = http2();
                opener = answers -> stream(parent, answers);
            }
            LoadConnection connection =
                    new LoadConnection(counted, i, loop, opener, unfinished::countDown);
            connections.add(connection);
            // Spread over the interval, so that they do not ask in step.
            connection.schedule(start + (interval + rampUp) * i / group.clients());
        }
    }

    private Bootstrap bootstrap() {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .remoteAddress(InetAddress.getLoopbackAddress(), load.port())
                .option(ChannelOption.TCP_NODELAY, true);
    }

    private Future<?> http1(Load.Group group, LoadConnection.Answers answers) {
        Bootstrap bootstrap = bootstrap();
        if (group.bytesPerSecond() > 0) {
            long tickBytes =
                    group.bytesPerSecond() * LoadConnection.SLOW_TICK_NANOS / 1_000_000_000L;
            bootstrap
                    .option(ChannelOption.AUTO_READ, false)
                    .option(ChannelOption.SO_RCVBUF, SLOW_RECEIVE_BUFFER)
                    .option(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new FixedRecvByteBufAllocator((int) tickBytes).maxMessagesPerRead(1));
        } else {
            bootstrap.option(
                    ChannelOption.RECVBUF_ALLOCATOR,
                    new AdaptiveRecvByteBufAllocator(256, 2048, MAX_READ));
        }
        return bootstrap
                .handler(
                        initializer(channel -> {
                            HttpClientCodec codec =
                                    new HttpClientCodec(MAX_LINE, MAX_LINE, MAX_READ);
                            channel.pipeline().addLast(codec, answers);
                        }))
                .connect();
    }

    private Channel http2() throws InterruptedException {
        Channel channel =
                bootstrap()
                        .handler(
                                initializer(parent -> {
                                    var codec = Http2FrameCodecBuilder.forClient().build();
                                    var streams = new Http2MultiplexHandler(initializer(_ -> {}));
                                    parent.pipeline().addLast(codec, streams);
                                }))
                        .connect()
                        .sync()
                        .channel();
        shared.add(channel);
        return channel;
    }

    private static Future<?> stream(Channel parent, LoadConnection.Answers answers) {
        return new Http2StreamChannelBootstrap(parent)
                .handler(
                        initializer(stream -> {
                            var codec = new Http2StreamFrameToHttpObjectCodec(false);
                            stream.pipeline().addLast(codec, answers);
                        }))
                .open();
    }

    private interface Setup {
        void of(Channel channel);
    }

    private static ChannelInitializer<Channel> initializer(Setup setup) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                setup.of(channel);
            }
        };
    }
}
