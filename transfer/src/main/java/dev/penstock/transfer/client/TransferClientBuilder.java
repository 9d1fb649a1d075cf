package dev.penstock.transfer.client;

import dev.penstock.transfer.client.http.HttpCalls;
import dev.penstock.transfer.client.http.MemoryBudget;
import dev.penstock.transfer.client.resume.UploadRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A builder of {@link TransferClient}s.
 *
 * <p>Defaults: no token, HTTP/1.1, the trust store of the JDK, a memory budget of half of the heap, 10 seconds to
 * connect, 60 seconds without a byte until a connection counts as lost, 5 minutes for an answer, waits between tries
 * of at most 0.2, 0.4, 0.8 … 30 seconds, and state in {@code $XDG_STATE_HOME/penstock/transfers} or
 * {@code ~/.local/state/penstock/transfers}. It is for one thread.
 */
public final class TransferClientBuilder {
    /** The memory that one connection in use may take, in bytes, unless chunks are larger than 32 KiB. */
    public static final long CONNECTION_BYTES = 192 * 1024;

    private static final int DEFAULT_WINDOW_BYTES = 16 << 20;

    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private boolean isHttp2;
    private long memoryBytes = Runtime.getRuntime().maxMemory() / 2;
    private Duration connect = Duration.ofSeconds(10);
    private Duration stall = Duration.ofSeconds(60);
    private Duration answer = Duration.ofMinutes(5);
    private Duration firstDelay = Duration.ofMillis(200);
    private Duration longestDelay = Duration.ofSeconds(30);
    private Path stateDirectory =
            UploadRecords.defaultDirectory(System.getenv(), System.getProperty("user.home", "."));
    private InstantSource clock = InstantSource.system();
    private @Nullable SSLContext tls;

    TransferClientBuilder() {}

    /** Sends a bearer token (RFC 6750) to the origin of the URI that is called, and to no other. */
    public TransferClientBuilder token(String token) {
        return header("Authorization", "Bearer " + token);
    }

    /** Sends a header with each request to the origin of the URI that is called, and to no other. */
    public TransferClientBuilder header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /**
     * Speaks HTTP/2 where the server does.
     *
     * <p>A stream may then hold as much as its window, 16 MiB unless the system property
     * {@code jdk.httpclient.windowsize} says another: set it, and {@code jdk.httpclient.connectionWindowSize}, when
     * the JVM starts.
     */
    public TransferClientBuilder http2(boolean isAllowed) {
        isHttp2 = isAllowed;
        return this;
    }

    /** Verifies servers, and identifies this client, by a context of its own. */
    public TransferClientBuilder tls(SSLContext context) {
        tls = context;
        return this;
    }

    /** Lets all transfers together take so many bytes of the heap; at least what one connection takes. */
    public TransferClientBuilder memoryBudget(long bytes) {
        memoryBytes = bytes;
        return this;
    }

    /** Waits at most so long for a connection. */
    public TransferClientBuilder connectTimeout(Duration longest) {
        connect = positive(longest, "A connect timeout");
        return this;
    }

    /** Takes a connection for lost on which no byte has moved for so long. */
    public TransferClientBuilder stallTimeout(Duration longest) {
        stall = positive(longest, "A stall timeout");
        return this;
    }

    /** Waits at most so long from the last byte of a request to the head of its response. */
    public TransferClientBuilder answerTimeout(Duration longest) {
        answer = positive(longest, "An answer timeout");
        return this;
    }

    /**
     * Waits between tries: at random between nothing and a limit that begins with the first, and doubles up to the
     * longest.
     */
    public TransferClientBuilder backOff(Duration first, Duration longest) {
        firstDelay = positive(first, "A wait");
        longestDelay = positive(longest, "A wait");
        return this;
    }

    /** Keeps the state of uploads, and the last bytes of streams that are sent, in a directory. */
    public TransferClientBuilder stateDirectory(Path directory) {
        stateDirectory = directory;
        return this;
    }

    TransferClientBuilder clock(InstantSource source) {
        clock = source;
        return this;
    }

    /**
     * Makes the client.
     *
     * @throws IllegalArgumentException when the memory budget holds no connection
     */
    public TransferClient build() {
        long window =
                isHttp2 ? Integer.getInteger("jdk.httpclient.windowsize", DEFAULT_WINDOW_BYTES) : 0;
        MemoryBudget memory = new MemoryBudget(memoryBytes, CONNECTION_BYTES + window);
        HttpCalls calls =
                new HttpCalls(
                        new HttpCalls.Settings(
                                connect,
                                stall,
                                answer,
                                headers,
                                isHttp2,
                                Optional.ofNullable(tls)));
        return new TransferClient(
                new Transfer.Shared(
                        calls,
                        memory,
                        new UploadRecords(stateDirectory, clock),
                        headers.getOrDefault("Authorization", ""),
                        firstDelay,
                        longestDelay,
                        clock));
    }

    private static Duration positive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " is longer than nothing, not " + duration);
        }
        return duration;
    }
}
