package dev.penstock.http.exchange;

import dev.penstock.http.HttpException;

/** A failure to read a request that its protocol forbids. Its message has nothing of the client's bytes. */
public class MalformedRequest extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int status;

    public MalformedRequest(int status, String fault) {
        super(fault);
        this.status = status;
    }

    public int status() {
        return status;
    }

    /** Returns the error response for it. */
    public HttpException answer() {
        return new HttpException(status, "The request has " + getMessage() + ".");
    }

    /** Leaves the stack out: hostile clients would have one filled for each request. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
