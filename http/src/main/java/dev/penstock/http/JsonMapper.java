package dev.penstock.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;

/**
 * A mapper of objects from and to JSON, for {@link Exchange#readJson} and {@link Exchange#json}: that of a library,
 * such as {@code penstock-http-jackson} has it. Given to the builder of a server, or else found as a service of this
 * type. Thread-safe.
 */
public interface JsonMapper {
    /**
     * Reads one value, which is all that the input has.
     *
     * @param from UTF-8; not closed
     * @param type of which the value is to be
     * @throws IllegalArgumentException if it is not JSON, or not of the type; the message is for the client, and says
     *     where
     * @throws IllegalStateException if no value of the type can be read, whatever the input is
     */
    Object read(InputStream from, Type type) throws IOException;

    /**
     * Writes a value as UTF-8, piece by piece.
     *
     * @param to not closed
     */
    void write(Object value, OutputStream to) throws IOException;
}
