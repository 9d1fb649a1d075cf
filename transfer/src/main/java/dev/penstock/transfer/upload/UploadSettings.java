package dev.penstock.transfer.upload;

import dev.penstock.http.Exchange;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the requests for uploads.
 *
 * @param maxBytes the largest upload
 * @param owner to whom the uploads of a request belong
 * @param clock the time by which uploads expire
 * @param publicPath where clients see the uploads, without a slash at the end; null for where the request has come to
 * @param interim whether clients of the IETF draft are told of location and progress by 104
 */
record UploadSettings(
        long maxBytes,
        Function<Exchange, String> owner,
        InstantSource clock,
        @Nullable String publicPath,
        boolean interim) {
    /** The parameter of the routes of one upload: its identifier, or the name of a file that is put. */
    static final String PARAMETER = "upload";

    /** The path, or URL, of an upload. */
    String location(Exchange exchange, String id) {
        return base(exchange) + "/" + id;
    }

    private String base(Exchange exchange) {
        if (publicPath != null) {
            return publicPath;
        }
        String path = exchange.path();
        boolean below = exchange.route().orElse("").endsWith("/{" + PARAMETER + "}");
        if (below || path.endsWith("/")) {
            path = path.substring(0, path.lastIndexOf('/'));
        }
        return encoded(path);
    }

    /** A path as it stands in a URL. */
    private static String encoded(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(segment ->
                        URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
