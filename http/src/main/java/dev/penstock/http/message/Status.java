package dev.penstock.http.message;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A status, by its number. */
public final class Status {
    private Status() {}

    private static final int FIRST = 100;
    private static final String[] LINES = new String[500];

    static {
        for (int i = 0; i < LINES.length; i++) {
            LINES[i] = "HTTP/1.1 " + (FIRST + i) + " " + phrase(FIRST + i);
        }
    }

    public static int check(int status) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException(
                    "Status " + status + " can't end a request: one from 200 to 599 can");
        }
        return status;
    }

    /** The first line of an HTTP/1 response, without its end. */
    public static String line(int status) {
        return LINES[status - FIRST];
    }

    public static String phrase(int status) {
        HttpResponseStatus known = HttpResponseStatus.valueOf(status);
        return switch (status) {
            case 104 -> "Upload Resumption Supported";
            case 413 -> "Content Too Large";
            default -> known.reasonPhrase();
        };
    }

    /** Responses of these never have a body, whatever their headers say. */
    public static boolean forbidsBody(int status) {
        return status == 204 || status == 304;
    }
}
