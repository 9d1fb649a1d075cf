package dev.penstock.transfer.client.http;

import java.io.IOException;

/** A connection on which nothing has moved for too long. */
public final class StalledException extends IOException {
    private static final long serialVersionUID = 1;

    StalledException(String message) {
        super(message);
    }
}
