package dev.penstock.transfer.client.upload;

import dev.penstock.transfer.client.http.Answer;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * tus 1.0.0 with its extension {@code creation}.
 *
 * @param takesUnknownLength whether the server has the extension {@code creation-defer-length}
 */
public record TusDialect(boolean takesUnknownLength, OptionalLong maxBytes)
        implements UploadDialect {
    private static final String VERSION = "1.0.0";

    static Optional<UploadDialect> announced(Answer options) {
        Set<String> versions =
                words(options.header("tus-version").or(() -> options.header("tus-resumable")));
        Set<String> extensions = words(options.header("tus-extension"));
        if (!versions.contains(VERSION) || !extensions.contains("creation")) {
            return Optional.empty();
        }
        return Optional.of(
                new TusDialect(
                        extensions.contains("creation-defer-length"),
                        options.number("tus-max-size")));
    }

    private static Set<String> words(Optional<String> list) {
        return Arrays.stream(list.orElse("").split(","))
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    @Override
    public long maxAppendBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public void create(HttpRequest.Builder request, Described what) {
        request.setHeader("Tus-Resumable", VERSION);
        what.length()
                .ifPresentOrElse(
                        length -> request.setHeader("Upload-Length", Long.toString(length)),
                        () -> request.setHeader("Upload-Defer-Length", "1"));
        List<String> metadata = new ArrayList<>();
        what.fileName().ifPresent(name -> metadata.add("filename " + base64(name)));
        what.mediaType().ifPresent(type -> metadata.add("filetype " + base64(type)));
        if (!metadata.isEmpty()) {
            request.setHeader("Upload-Metadata", String.join(",", metadata));
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void ask(HttpRequest.Builder request) {
        request.setHeader("Tus-Resumable", VERSION);
    }

    @Override
    public Optional<ServerState> state(Answer answer, OptionalLong length) {
        OptionalLong offset = answer.number("upload-offset");
        if (offset.isEmpty()) {
            return Optional.empty();
        }
        OptionalLong whole = answer.number("upload-length");
        long known = whole.orElse(length.orElse(-1));
        return Optional.of(new ServerState(offset.getAsLong(), offset.getAsLong() == known));
    }

    @Override
    public void append(HttpRequest.Builder request, long offset) {
        request.setHeader("Tus-Resumable", VERSION)
                .setHeader("Upload-Offset", Long.toString(offset))
                .setHeader("Content-Type", "application/offset+octet-stream");
    }

    @Override
    public boolean isFinishedApart(boolean isLengthKnown) {
        return !isLengthKnown;
    }

    @Override
    public void finish(HttpRequest.Builder request, long length, Optional<byte[]> sha256) {
        append(request, length);
        request.setHeader("Upload-Length", Long.toString(length));
    }

    @Override
    public boolean takesDigest() {
        return false;
    }

    @Override
    public boolean tellsProgress() {
        return false;
    }

    @Override
    public String written() {
        return "tus "
                + takesUnknownLength
                + " "
                + (maxBytes.isPresent() ? maxBytes.getAsLong() : "-")
                + " 0";
    }
}
