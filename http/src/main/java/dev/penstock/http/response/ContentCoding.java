package dev.penstock.http.response;

import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Status;
import java.util.Locale;

/** The decision by its head whether a response is worth compressing, and what the head says of it then. */
public final class ContentCoding {
    private ContentCoding() {}

    /** Returns whether a media type is text of some kind; compressing what is compressed already only costs time. */
    public static boolean compressible(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        String type =
                (semicolon < 0 ? mediaType : mediaType.substring(0, semicolon))
                        .trim()
                        .toLowerCase(Locale.ROOT);
        return switch (type) {
            case "text/event-stream" -> false;
            case "application/json",
                    "application/x-ndjson",
                    "application/ndjson",
                    "application/jsonl",
                    "application/xml",
                    "application/javascript",
                    "application/wasm",
                    "application/vnd.pgrst.object+json",
                    "image/svg+xml" ->
                    true;
            default -> type.startsWith("text/") || type.endsWith("+json") || type.endsWith("+xml");
        };
    }

    /** Returns whether a response with this head is worth compressing, if it is long enough. */
    static boolean isWorthIt(ResponseHeaders fields, int status) {
        String type = fields.get("Content-Type");
        return type != null
                && compressible(type)
                && fields.get("Content-Encoding") == null
                && status != 206
                && !Status.forbidsBody(status);
    }

    /** Names the coding in a head; its entity tag is a weak one from then on, since the bytes differ. */
    static void mark(ResponseHeaders fields, String coding) {
        fields.set("Content-Encoding", coding);
        String tag = fields.get("ETag");
        if (tag != null && !tag.startsWith("W/")) {
            fields.set("ETag", "W/" + tag);
        }
    }
}
