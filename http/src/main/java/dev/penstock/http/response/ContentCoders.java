package dev.penstock.http.response;

import dev.penstock.http.ContentCoder;
import dev.penstock.http.message.AcceptedCodings;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The codings in which a server can send responses: those that it was given, and gzip. Of those that a client accepts,
 * the one that it likes best is chosen, and among equals the first. Their encoders hold memory that no limit of the JVM
 * covers, so that there are only as many of them at once as a budget of bytes allows; beyond it the next coding is
 * chosen, at last gzip, which has its tables on the heap. Thread-safe.
 */
public final class ContentCoders {
    private static final int SHARE_OF_HEAP = 8;
    private static final long LEAST = 1 << 20;
    private static final long MOST = 256L << 20;
    private static final String GZIP = "gzip";
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private final List<ContentCoder> coders;
    private final long mostBytes;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param coders beside gzip, the best first
     * @param mostBytes that their encoders may hold at once
     */
    public ContentCoders(List<ContentCoder> coders, long mostBytes) {
        this.coders = coders.stream().filter(ContentCoders::isAvailable).toList();
        this.mostBytes = mostBytes;
    }

    /** Returns the coders that are services. */
    public static List<ContentCoder> found() {
        return ServiceLoader.load(ContentCoder.class, ContentCoder.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Returns the memory for encoders unless set: an eighth of what the heap may have, 1 to 256 MiB. */
    public static long defaultBytes() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, LEAST, MOST);
    }

    private static boolean isAvailable(ContentCoder coder) {
        boolean available = coder.isAvailable();
        if (!available) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Responses are not sent as {0}: its native library can''t be used here",
                    coder.coding());
        }
        return available;
    }

    /** Returns the bytes that open encoders hold at most. */
    public long usedBytes() {
        return used.get();
    }

    /** Names the coding for a client; null for none. */
    public @Nullable String name(List<String> acceptEncoding) {
        if (acceptEncoding.isEmpty()) {
            return null;
        }
        AcceptedCodings accepted = AcceptedCodings.of(acceptEncoding);
        List<ContentCoder> welcome = welcome(accepted);
        if (!welcome.isEmpty()) {
            return welcome.getFirst().coding();
        }
        return accepted.accepts(GZIP) ? GZIP : null;
    }

    /** Opens an encoder for a client; null for none. */
    @Nullable Encoding open(List<String> acceptEncoding) {
        if (acceptEncoding.isEmpty()) {
            return null;
        }
        AcceptedCodings accepted = AcceptedCodings.of(acceptEncoding);
        for (ContentCoder coder : welcome(accepted)) {
            int bytes = coder.encoderBytes();
            if (reserve(bytes)) {
                return open(coder, bytes);
            }
        }
        return accepted.accepts(GZIP) ? new Encoding(GZIP, new Gzip(), () -> {}) : null;
    }

    private Encoding open(ContentCoder coder, int bytes) {
        boolean opened = false;
        try {
            Encoding encoding =
                    new Encoding(coder.coding(), coder.open(), () -> used.addAndGet(-bytes));
            opened = true;
            return encoding;
        } finally {
            if (!opened) {
                used.addAndGet(-bytes);
            }
        }
    }

    private boolean reserve(int bytes) {
        long now = used.get();
        while (now + bytes <= mostBytes) {
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = used.get();
        }
        return false;
    }

    /**
     * Those that a client likes at least as much as gzip, the most welcome first. It must have named them: one that
     * accepts anything may have been written when there was nothing but gzip.
     */
    private List<ContentCoder> welcome(AcceptedCodings accepted) {
        List<ContentCoder> welcome = new ArrayList<>(coders.size());
        for (ContentCoder coder : coders) {
            String name = coder.coding();
            if (accepted.names(name)
                    && accepted.accepts(name)
                    && accepted.quality(name) >= accepted.quality(GZIP)) {
                welcome.add(coder);
            }
        }
        welcome.sort((a, b) ->
                Double.compare(accepted.quality(b.coding()), accepted.quality(a.coding())));
        return welcome;
    }
}
