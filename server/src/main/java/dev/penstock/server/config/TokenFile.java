package dev.penstock.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The bearer tokens of a file, one a line; a line that is empty or begins with {@code #} is none. Of each token only
 * its digest is kept, which is the name of its owner too. Thread-safe.
 */
public final class TokenFile {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_TOKENS = 1000;
    private static final int OWNER_BYTES = 16;

    /** The characters of RFC 6750, and so many of them that nobody guesses one. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,512}={0,2}");

    private final String option;
    private final Path file;
    private volatile List<byte[]> digests;

    private TokenFile(String option, Path file) {
        this.option = option + " " + file;
        this.file = file;
        digests = read();
    }

    /**
     * Reads a file, and warns if others than its owner and group may read it too.
     *
     * @param option that named it, for messages
     * @throws StartupException if it can't be read, or has no token, or a line that is none
     */
    public static TokenFile read(String option, Path file) {
        return new TokenFile(option, file);
    }

    /**
     * Reads the file again.
     *
     * @return whether it has other tokens than before
     * @throws StartupException as at first; then the tokens stay as they were
     */
    public boolean reload() {
        List<byte[]> before = digests;
        List<byte[]> now = read();
        digests = now;
        return before.size() != now.size()
                || before.stream().anyMatch(one -> now.stream().noneMatch(isEqual(one)));
    }

    private static java.util.function.Predicate<byte[]> isEqual(byte[] digest) {
        return other -> MessageDigest.isEqual(digest, other);
    }

    /** Returns the owner that a token stands for. Takes as long for a wrong token as for a right one. */
    public Optional<String> owner(String token) {
        byte[] given = digest(token);
        boolean known = false;
        for (byte[] digest : digests) {
            known |= MessageDigest.isEqual(digest, given);
        }
        return known ? Optional.of(owner(given)) : Optional.empty();
    }

    /** Returns the owners of all tokens. */
    public List<String> owners() {
        return digests.stream().map(TokenFile::owner).toList();
    }

    private static String owner(byte[] digest) {
        return HexFormat.of().formatHex(digest, 0, OWNER_BYTES);
    }

    private List<byte[]> read() {
        List<byte[]> found = new ArrayList<>();
        int number = 0;
        for (String line : text().lines().toList()) {
            number++;
            String token = line.strip();
            if (token.isEmpty() || token.startsWith("#")) {
                continue;
            }
            if (!TOKEN.matcher(token).matches()) {
                throw new StartupException(
                        option
                                + ": line "
                                + number
                                + " is no token: write 16 to 512 letters, digits and -._~+/ alone, such as"
                                + " from openssl rand -hex 32");
            }
            found.add(digest(token));
        }
        if (found.isEmpty() || found.size() > MAX_TOKENS) {
            throw new StartupException(
                    "%s has %s: write one a line, such as from openssl rand -hex 32"
                            .formatted(
                                    option,
                                    found.isEmpty()
                                            ? "no token"
                                            : "more than " + MAX_TOKENS + " tokens"));
        }
        return List.copyOf(found);
    }

    private String text() {
        try (InputStream in = Files.newInputStream(file)) {
            warnOfReaders();
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new StartupException(
                        option + " is longer than 1 MiB: name a file of tokens, one a line");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartupException(
                    "%s can't be read (%s): check the path and its permissions"
                            .formatted(option, e.getClass().getSimpleName()),
                    e);
        }
    }

    private void warnOfReaders() throws IOException {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} can be read by every user of this machine: chmod 600 it",
                        option);
            }
        } catch (UnsupportedOperationException _) {
            // A file system without such permissions.
        }
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }
}
