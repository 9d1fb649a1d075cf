package dev.penstock.http.jackson;

import dev.penstock.http.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.databind.exc.InvalidDefinitionException;

/** Jackson as the mapper of a server's JSON. Thread-safe. */
public final class JacksonMapper implements JsonMapper {
    private final ObjectMapper mapper;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    /** Jackson with its defaults, where a member that the type does not have is an error. */
    public JacksonMapper() {
        this(
                tools.jackson.databind.json.JsonMapper.builder()
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .build());
    }

    /**
     * Jackson as it was set up. In any case a value is all that a body may have, and members that stand twice are an
     * error.
     */
    public JacksonMapper(ObjectMapper mapper) {
        this.mapper = mapper;
        this.reader =
                mapper.reader()
                        .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .without(StreamReadFeature.AUTO_CLOSE_SOURCE);
        this.writer =
                mapper.writer()
                        .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
                        .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM);
    }

    @Override
    public Object read(InputStream from, Type type) throws IOException {
        try {
            Object value = reader.forType(mapper.constructType(type)).readValue(from);
            if (value == null) {
                throw new IllegalArgumentException("The body is null, or there is none");
            }
            return value;
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (InvalidDefinitionException e) {
            // Whatever the client sends.
            throw new IllegalStateException(
                    "A value of %s can't be read from JSON".formatted(type.getTypeName()), e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(message(e), e);
        }
    }

    /** What is wrong and where, without what Jackson says of the program's own types. */
    private static String message(JacksonException failure) {
        TokenStreamLocation location = failure.getLocation();
        String where =
                location == null || location.getLineNr() < 1
                        ? ""
                        : " at line %d, column %d"
                                .formatted(location.getLineNr(), location.getColumnNr());
        String path = failure.getPathReference();
        String member = path == null || path.indexOf('[') < 0 ? "" : ", member " + members(failure);
        return "The JSON can't be read%s%s".formatted(where, member);
    }

    private static String members(JacksonException failure) {
        StringBuilder text = new StringBuilder();
        for (JacksonException.Reference step : failure.getPath()) {
            String name = step.getPropertyName();
            text.append(name == null ? "/" + step.getIndex() : "/" + name);
        }
        return text.toString();
    }

    /** A {@link Stream} becomes an array, value by value, and is closed; anything else is what Jackson makes of it. */
    @Override
    public void write(Object value, OutputStream to) throws IOException {
        try {
            if (value instanceof Stream<?> values) {
                writeAll(values, to);
            } else {
                writer.writeValue(to, value);
            }
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw new IOException(
                    "A value of %s can't be written as JSON".formatted(value.getClass().getName()),
                    e);
        }
    }

    private void writeAll(Stream<?> values, OutputStream to) {
        try (values;
                SequenceWriter array = writer.writeValuesAsArray(to)) {
            for (Iterator<?> rest = values.iterator(); rest.hasNext(); ) {
                array.write(rest.next());
            }
        }
    }
}
