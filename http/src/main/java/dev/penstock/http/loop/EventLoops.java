package dev.penstock.http.loop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The event loops, their sockets' settings, and the memory for buffers.
 *
 * <p>Buffers are of a {@link BufferPool}. A loop keeps one chunk of it when nothing is in use; where memory is short,
 * all of them give back what they keep for later.
 *
 * <p>A send buffer of fixed size keeps the kernel from taking in megabytes for a slow client: no limit would count
 * them, and the client's rate could not be measured.
 *
 * <p>NIO, not Netty's epoll: in 4.2.18 that loses its registration when a client has closed its sending side and
 * nothing is read, and then fails to write ({@code epoll_ctl(..) failed with error(-2)}).
 */
public final class EventLoops {
    public static final int LEAST = 1;
    public static final int MOST = 64;

    /** How many connections may wait to be accepted, at each listener. */
    public static final int BACKLOG = 4 * 1024;

    static final int SEND_BUFFER = 256 * 1024;

    static {
        // The search for leaks is for tests: it walks the stack at one allocation in a hundred. A
        // level that the application has chosen stays.
        if (ResourceLeakDetector.getLevel() == ResourceLeakDetector.Level.SIMPLE
                && Stream.of("io.netty.leakDetection.level", "io.netty.leakDetectionLevel")
                        .allMatch(property -> System.getProperty(property) == null)) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
    }

    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private final EventLoopGroup group;

    /** The one that accepts connections, for all listeners. */
    private final EventLoop listenerLoop;

    private final BufferPool allocator;
    private final Map<EventLoop, Loop> loops = new ConcurrentHashMap<>();
    private volatile boolean stopping;
    private volatile boolean broken;

    /**
     * Makes a group of loops, whose threads start when they have something to do.
     *
     * @param count how many, of {@link #LEAST} to {@link #MOST}
     * @param daemon whether the JVM may end while they run
     */
    public EventLoops(int count, boolean daemon) {
        group =
                new GuardedEventLoop.Group(
                        count,
                        new DefaultThreadFactory("penstock-loop", daemon),
                        NioIoHandler.newFactory());
        listenerLoop = group.next();
        group.forEach(loop -> loop.terminationFuture().addListener(_ -> ended()));
        allocator = new BufferPool(count, this::memoryIsShort);
    }

    /** Returns the number of loops where none is set: one for two processors, at most 8. */
    public static int defaultCount() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, LEAST, 8);
    }

    /** A bootstrap of listeners on TCP. All listeners, of both kinds, are on the same loop. */
    public ServerBootstrap bootstrap(Consumer<Channel> initializer) {
        return listener(initializer)
                .channelFactory(ListeningChannel::new)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true);
    }

    /** A bootstrap of a listener on a Unix domain socket that is bound; to be registered. */
    public ServerBootstrap bootstrap(ServerSocketChannel bound, Consumer<Channel> initializer) {
        return listener(initializer).channelFactory(() -> new UnixListeningChannel(bound));
    }

    private ServerBootstrap listener(Consumer<Channel> initializer) {
        return new ServerBootstrap()
                .group(listenerLoop, group)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReadSizes())
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(32 * 1024, 128 * 1024))
                .childHandler(new Initializer(initializer));
    }

    private static final class Initializer extends ChannelInitializer<Channel> {
        private final Consumer<Channel> action;

        Initializer(Consumer<Channel> action) {
            this.action = action;
        }

        @Override
        protected void initChannel(Channel channel) {
            action.accept(channel);
        }
    }

    /** Returns the loop that runs a channel. */
    public Loop of(Channel channel) {
        return loops.computeIfAbsent(channel.eventLoop(), this::loop);
    }

    private Loop loop(EventLoop executor) {
        return new Loop(executor, allocator);
    }

    /** Returns a loop for work that has no channel: each of them in turn. */
    public Loop next() {
        return loops.computeIfAbsent(group.next(), this::loop);
    }

    /** There was no memory for a buffer: has all loops give back what is not in use, soon. On any thread. */
    private void memoryIsShort() {
        loops.values().forEach(loop -> loop.memoryIsShort(allocator::giveBackUnused));
    }

    /** Runs an action for each connection, on its loop. */
    public void forEach(Consumer<ServerConnection> action) {
        loops.values().forEach(loop -> loop.forEach(action));
    }

    /**
     * Runs an action again and again, on one of the loops, until they are shut down. A failure, for want of memory for
     * example, is logged and skips that time.
     */
    public void every(Duration time, Runnable action) {
        long nanos = time.toNanos();
        // A scheduled action that throws is never run again.
        Runnable logged =
                () -> LoggedAction.run(action, "What is done again and again failed this time");
        var _ = group.next().scheduleWithFixedDelay(logged, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns the pool of all loops' buffers. */
    BufferPool buffers() {
        return allocator;
    }

    /** Returns the bytes of memory that the pool holds. */
    public long bufferBytes() {
        return allocator.metric().usedDirectMemory();
    }

    /** Returns the number of buffers that are in use. */
    public long buffersInUse() {
        return allocator.metric().directArenas().stream()
                        .mapToLong(arena -> arena.numActiveAllocations())
                        .sum()
                - loops.values().stream().filter(Loop::keepsChunk).count();
    }

    /**
     * Notes that a loop has ended. Before all are shut down, only an error in its own workings ends one, such as too
     * little memory at the wrong moment.
     */
    private void ended() {
        if (!stopping) {
            broken = true;
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "An event loop has ended, most likely for want of memory: its connections are lost,"
                            + " and some new ones will be. Restart this process");
        }
    }

    /** Returns whether a loop has ended before its time. */
    public boolean isBroken() {
        return broken;
    }

    public void shutDown() {
        stopping = true;
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3000);
        loops.values().forEach(Loop::releaseChunks);
    }
}
