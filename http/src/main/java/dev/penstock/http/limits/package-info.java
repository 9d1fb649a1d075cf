/**
 * Limits on what clients take from a server, and the queues before them. Each limit counts and decides in one atomic
 * step, on whichever event loop or handler's thread: of requests that come together, as many are admitted as there is
 * room for, and one that is refused takes no room from others, not even for a moment.
 *
 * <ul>
 * <li>{@link dev.penstock.http.limits.ConnectionLimit}: open connections of all clients, and what happens when the
 * process has no file descriptors left;
 * <li>{@link dev.penstock.http.limits.Clients}: the table of clients, which are an IPv4 address or the first 64 bits of
 * an IPv6 one each; {@link dev.penstock.http.limits.Client} decides about each connection and request of one, by the
 * numbers in {@link dev.penstock.http.limits.ClientLimits};
 * <li>{@link dev.penstock.http.limits.PermitQueue}: requests that run at once, and the bounded queue before them, which
 * {@link dev.penstock.http.limits.FairQueue} keeps fair to clients;
 * <li>{@link dev.penstock.http.limits.PermitTransfer}: the wait of a request that runs for a permit of another queue;
 * <li>{@link dev.penstock.http.limits.MinimumRate}: how slowly a client may read or send; {@code ClientWatch} of
 * {@code exchange} asks it;
 * <li>{@link dev.penstock.http.limits.UnreadBodies}: bytes of request bodies that no handler reads yet.
 * </ul>
 *
 * <p>The limits know nothing of exchanges and responses: they answer yes, no or wait, and the caller turns that into a
 * status. Begin with {@code PermitQueue}.
 */
@NullMarked
package dev.penstock.http.limits;

import org.jspecify.annotations.NullMarked;
