package dev.penstock.transfer.client.upload;

import dev.penstock.transfer.client.http.Answer;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The IETF draft of resumable uploads, draft-ietf-httpbis-resumable-upload, in one of its interop versions.
 *
 * @param version 3 to 8
 * @param maxAppendBytes the {@code max-append-size} of the server's {@code Upload-Limit}
 */
public record DraftDialect(int version, OptionalLong maxBytes, long maxAppendBytes)
        implements UploadDialect {
    private static final int OLDEST = 3;
    private static final int NEWEST = 8;
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    public DraftDialect {
        if (version < OLDEST || version > NEWEST) {
            throw new IllegalArgumentException(
                    "The draft is spoken in its interop versions 3 to 8, not in " + version);
        }
    }

    static Optional<UploadDialect> announced(Answer options) {
        Optional<String> versions = options.header("upload-draft-interop-version");
        Optional<String> limits = options.header("upload-limit");
        boolean isPatched =
                options.header("accept-patch")
                        .filter(types -> types.contains("application/partial-upload"))
                        .isPresent();
        if (versions.isEmpty() && limits.isEmpty() && !isPatched) {
            return Optional.empty();
        }
        return Optional.of(
                new DraftDialect(
                        newest(versions.orElse("")),
                        limit(limits, "max-size"),
                        limit(limits, "max-append-size").orElse(Long.MAX_VALUE)));
    }

    /** The draft in its newest version, for a server that has said nothing. */
    public static DraftDialect newest() {
        return new DraftDialect(NEWEST, OptionalLong.empty(), Long.MAX_VALUE);
    }

    private static int newest(String announced) {
        int newest = 0;
        Matcher numbers = NUMBER.matcher(announced);
        while (numbers.find()) {
            int version = numbers.group().length() > 3 ? 0 : Integer.parseInt(numbers.group());
            if (version >= OLDEST && version <= NEWEST) {
                newest = Math.max(newest, version);
            }
        }
        return newest == 0 ? NEWEST : newest;
    }

    private static OptionalLong limit(Optional<String> limits, String name) {
        Matcher matcher =
                Pattern.compile("(?:^|[,\\s])" + name + "=([0-9]{1,18})")
                        .matcher(limits.orElse(""));
        return matcher.find()
                ? OptionalLong.of(Long.parseLong(matcher.group(1)))
                : OptionalLong.empty();
    }

    @Override
    public boolean takesUnknownLength() {
        return true;
    }

    @Override
    public void create(HttpRequest.Builder request, Described what) {
        speak(request);
        isComplete(request, false);
        what.length()
                .ifPresent(length -> request.setHeader("Upload-Length", Long.toString(length)));
        what.fileName()
                .ifPresent(name -> request.setHeader("Content-Disposition", disposition(name)));
        request.setHeader("Want-Repr-Digest", "sha-256=10");
        request.setHeader("Content-Type", what.mediaType().orElse("application/octet-stream"));
    }

    private static String disposition(String name) {
        String encoded =
                URLEncoder.encode(name, StandardCharsets.UTF_8)
                        .replace("+", "%20")
                        .replace("*", "%2A");
        return "attachment; filename*=UTF-8''" + encoded;
    }

    @Override
    public void ask(HttpRequest.Builder request) {
        speak(request);
    }

    @Override
    public Optional<ServerState> state(Answer answer, OptionalLong length) {
        OptionalLong offset = answer.number("upload-offset");
        Optional<Boolean> isComplete =
                version <= OLDEST
                        ? answer.header("upload-incomplete").map(value -> value.equals("?0"))
                        : answer.header("upload-complete").map(value -> value.equals("?1"));
        if (offset.isEmpty()) {
            boolean isEnd = isComplete.orElse(false) && length.isPresent();
            return isEnd
                    ? Optional.of(new ServerState(length.getAsLong(), true))
                    : Optional.empty();
        }
        return Optional.of(new ServerState(offset.getAsLong(), isComplete.orElse(false)));
    }

    @Override
    public void append(HttpRequest.Builder request, long offset) {
        speak(request);
        isComplete(request, false);
        request.setHeader("Upload-Offset", Long.toString(offset))
                .setHeader("Content-Type", "application/partial-upload");
    }

    @Override
    public boolean isFinishedApart(boolean isLengthKnown) {
        return true;
    }

    @Override
    public void finish(HttpRequest.Builder request, long length, Optional<byte[]> sha256) {
        append(request, length);
        isComplete(request, true);
        sha256.ifPresent(digest ->
                request.setHeader(
                        "Repr-Digest",
                        "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":"));
    }

    @Override
    public boolean takesDigest() {
        return true;
    }

    @Override
    public boolean tellsProgress() {
        return true;
    }

    @Override
    public String written() {
        return "draft "
                + version
                + " "
                + (maxBytes.isPresent() ? maxBytes.getAsLong() : "-")
                + " "
                + maxAppendBytes;
    }

    private void speak(HttpRequest.Builder request) {
        request.setHeader("Upload-Draft-Interop-Version", Integer.toString(version));
    }

    private void isComplete(HttpRequest.Builder request, boolean isComplete) {
        if (version <= OLDEST) {
            request.setHeader("Upload-Incomplete", isComplete ? "?0" : "?1");
        } else {
            request.setHeader("Upload-Complete", isComplete ? "?1" : "?0");
        }
    }
}
