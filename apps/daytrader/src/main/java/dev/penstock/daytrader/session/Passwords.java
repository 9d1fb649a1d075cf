package dev.penstock.daytrader.session;

import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The hashing of passwords by PBKDF2 with HMAC-SHA-256 (RFC 8018), a random salt of 16 bytes and a result of 32. A hash
 * says its number of iterations, so that those made before another number was set are still good: {@code
 * pbkdf2-sha256$600000$SALT$HASH}. As many are computed at once as there are processors; others wait for up to five
 * seconds, as many as should be computed within two, and more are refused. Thread-safe.
 */
public final class Passwords {
    /** The number of iterations that OWASP's Password Storage Cheat Sheet asks for. */
    public static final int DEFAULT_ITERATIONS = 600_000;

    /** The longest password, in characters. */
    public static final int MOST_CHARACTERS = 250;

    private static final String PREFIX = "pbkdf2-sha256";
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    /** About how long an iteration takes. */
    private static final long ITERATION_NANOS = 500;

    /** For each processor, as many may wait as take so long. */
    private static final long WAITING_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Whatever an iteration takes, no more wait. */
    private static final int MOST_WAITING = 10_000;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final int iterations;
    private final Duration longestWait;
    private final SecureRandom random = new SecureRandom();
    private final int atOnce = Runtime.getRuntime().availableProcessors();
    private final Semaphore running = new Semaphore(atOnce, true);

    /** The iterations of the latest hash that a password was compared with. */
    private volatile int compared;

    /**
     * Passwords hashed with so many iterations.
     *
     * @param iterations 1 to 10,000,000; each costs about half a microsecond
     */
    public Passwords(int iterations) {
        this(iterations, LONGEST_WAIT);
    }

    Passwords(int iterations, Duration longestWait) {
        this.iterations = checkedIterations(iterations);
        this.longestWait = longestWait;
        compared = iterations;
    }

    /**
     * Returns a number of iterations that can be.
     *
     * @throws IllegalArgumentException if it is not 1 to 10,000,000
     */
    public static int checkedIterations(int iterations) {
        if (iterations < 1 || iterations > MOST_ITERATIONS) {
            throw new IllegalArgumentException(
                    "%,d iterations for hashing passwords; it can be 1 to %,d"
                            .formatted(iterations, MOST_ITERATIONS));
        }
        return iterations;
    }

    /** The iterations of new hashes. */
    public int iterations() {
        return iterations;
    }

    /**
     * Returns the hash of a password, to be stored.
     *
     * @throws TradeException of kind {@code BUSY} if too many others are hashed
     */
    public String hash(String password) {
        byte[] salt = newSalt();
        return text(iterations, salt, derived(password, salt, iterations));
    }

    /**
     * Returns whether a password is the one of a hash.
     *
     * @throws TradeException of kind {@code BUSY} if too many others are hashed
     */
    public boolean matches(String password, String hash) {
        String[] parts = hash.split("\\$", -1);
        if (parts.length != 4 || !parts[0].equals(PREFIX)) {
            return false;
        }
        byte[] salt = Base64.getDecoder().decode(parts[2]);
        byte[] expected = Base64.getDecoder().decode(parts[3]);
        int rounds = Integer.parseInt(parts[1]);
        compared = rounds;
        byte[] found = derived(password, salt, rounds);
        return MessageDigest.isEqual(expected, found);
    }

    /** Takes as long as a comparison, for users that there are not, so that time does not tell who is one. */
    public void matchesNobody(String password) {
        var _ = derived(password, newSalt(), compared);
    }

    private byte[] newSalt() {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return salt;
    }

    private static String text(int iterations, byte[] salt, byte[] hash) {
        Base64.Encoder base64 = Base64.getEncoder();
        return PREFIX
                + "$"
                + iterations
                + "$"
                + base64.encodeToString(salt)
                + "$"
                + base64.encodeToString(hash);
    }

    private byte[] derived(String password, byte[] salt, int rounds) {
        char[] characters = password.toCharArray();
        if (!isAcquired(rounds)) {
            throw new TradeException(
                    Kind.BUSY, "Too many log in or register at this moment. Try again soon.");
        }
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(characters, salt, rounds, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no PBKDF2WithHmacSHA256", e);
        } finally {
            running.release();
            Arrays.fill(characters, '\0');
        }
    }

    private int mostWaiting(int rounds) {
        long most = atOnce * WAITING_NANOS / (rounds * ITERATION_NANOS);
        return Math.clamp(most, 1, MOST_WAITING);
    }

    private boolean isAcquired(int rounds) {
        try {
            return running.getQueueLength() < mostWaiting(rounds)
                    && running.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
