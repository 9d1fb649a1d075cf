package dev.penstock.http.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Reading of the files that TLS is made of, none of which may be larger than 1 MiB. */
final class TlsFile {
    private static final int LARGEST = 1024 * 1024;

    private TlsFile() {}

    /**
     * Reads a file.
     *
     * @param what it is, for messages: {@code certificate}, {@code key}
     * @throws IllegalArgumentException that says what is wrong
     */
    static byte[] read(Path file, String what) {
        String fault;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length <= LARGEST) {
                return bytes;
            }
            fault = "it is larger than " + LARGEST + " bytes, so it can't be one";
        } catch (NoSuchFileException _) {
            fault = "there is no such file";
        } catch (AccessDeniedException _) {
            fault = "this user may not read it";
        } catch (IOException failure) {
            fault = String.valueOf(failure.getMessage());
        }
        throw new IllegalArgumentException(
                "Can't read the TLS %s %s: %s".formatted(what, file, fault));
    }

    /** A file as a text, a character for each byte. */
    static String text(byte[] file) {
        return new String(file, StandardCharsets.ISO_8859_1);
    }

    /** A text that differs where contents do, and from which nothing of a key can be told. */
    static String digest(String... contents) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String content : contents) {
                digest.update((content.length() + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(content.getBytes(StandardCharsets.ISO_8859_1));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
