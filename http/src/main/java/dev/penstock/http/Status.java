package dev.penstock.http;

import io.netty.handler.codec.http.HttpResponseStatus;

/** What is known of a status by its number. */
final class Status {
    private Status() {}

    static int check(int status) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException(
                    "Status " + status + " can't end a request: one from 200 to 599 can");
        }
        return status;
    }

    static String phrase(int status) {
        HttpResponseStatus known = HttpResponseStatus.valueOf(status);
        return status == 413 ? "Content Too Large" : known.reasonPhrase();
    }

    /** Responses of these never have a body, whatever their headers say. */
    static boolean forbidsBody(int status) {
        return status == 204 || status == 304;
    }
}
