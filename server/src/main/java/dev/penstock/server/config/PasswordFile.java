package dev.penstock.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file whose first line is a password. */
final class PasswordFile {
    private static final int MAX_BYTES = 4096;

    private PasswordFile() {}

    /**
     * Reads the password.
     *
     * @param option that names the file, for messages
     * @throws StartupException if it can't be read
     */
    static String read(String option, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new StartupException(
                        "%s %s is longer than %d bytes: name a file that holds the password alone"
                                .formatted(option, file, MAX_BYTES));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (CharacterCodingException e) {
            throw new StartupException(
                    "%s %s is not UTF-8 text: save it as such".formatted(option, file), e);
        } catch (IOException e) {
            throw new StartupException(
                    "%s %s can't be read (%s): check the path and its permissions"
                            .formatted(option, file, e.getClass().getSimpleName()),
                    e);
        }
    }
}
