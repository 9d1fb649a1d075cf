package dev.penstock.http.json;

import dev.penstock.http.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The mapper of JSON that stands on the class or module path as a service; looked for when it is first used. */
public final class FoundJsonMapper implements JsonMapper {
    /** In a class of its own, so that it is looked for once. */
    private static final class Found {
        static final @Nullable JsonMapper MAPPER =
                ServiceLoader.load(JsonMapper.class, JsonMapper.class.getClassLoader())
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public Object read(InputStream from, Type type) throws IOException {
        return found().read(from, type);
    }

    @Override
    public void write(Object value, OutputStream to) throws IOException {
        found().write(value, to);
    }

    private static JsonMapper found() {
        JsonMapper mapper = Found.MAPPER;
        if (mapper == null) {
            throw new IllegalStateException(
                    "There is no mapper of JSON: put penstock-http-jackson on the path,"
                            + " or give the server one by jsonMapper(..)");
        }
        return mapper;
    }
}
