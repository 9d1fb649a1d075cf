package dev.penstock.http.limits;

/**
 * A connection or request beyond a limit of its client.
 *
 * @param message for the client
 * @param retryAfterSeconds when it may try again
 */
public record LimitExceeded(String message, long retryAfterSeconds) {}
