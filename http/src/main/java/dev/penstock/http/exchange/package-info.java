/**
 * Requests whatever the protocol, from the moment their head is read until their response has left.
 *
 * <p>A connection makes a {@link dev.penstock.http.exchange.ServerExchange} of each request and hands it to the
 * {@link dev.penstock.http.exchange.Dispatcher}, once. That checks the client's limits, finds the route
 * ({@link dev.penstock.http.route.Router}), has the route's admission let it in or queue it, and starts its handler
 * on a virtual thread. While a handler runs it reads a {@link dev.penstock.http.exchange.RequestBody}, which the
 * connection fills, and writes a response. If it suspends the exchange, a {@link
 * dev.penstock.http.exchange.ServerSuspension} remembers how it goes on, and nothing else is kept. An exchange is
 * finished when two things have happened, in whichever order: its handler has returned without suspending it, and its
 * response has left or is broken. Only then is its permit given back, and the connection told.
 *
 * <p>Each of a handler's views of a request adds to the one before: {@code ReceivedRequest} is the request itself, with
 * its body; {@code HandledRequest} knows which filters are still to be called, {@code AnsweredRequest} makes the
 * response, and {@code ServerExchange} says how it goes on. They are one object, since there may be very many requests.
 * {@code HandlerRun} calls the filters and the handler, {@code AfterFilters} those after it, {@code ExchangePermit} is
 * the exchange's permit to run, and {@code ExchangeLifetime} has the state that several threads change.
 *
 * <p>Connections see the server as a {@link dev.penstock.http.exchange.ServerContext}; exchanges see their connection
 * as a {@link dev.penstock.http.exchange.ExchangeConnection}. Invariants: what a connection tells an exchange happens
 * on its event loop; what a handler does happens on its own thread; where the two meet there is a lock. Nothing blocks
 * on an event loop. A handler that fails is answered ({@link dev.penstock.http.exchange.Failures}) as long as no head
 * was sent, afterwards the response is broken off.
 *
 * <p>{@code ClientWatch} says whether a client keeps up with its request and response, by the {@code MinimumRate} of
 * {@code limits}; the connection of one that does not is reset by {@code Http1Connection} or {@code Http2Session}.
 *
 * <p>What a server was built with, its defaults included, is {@link dev.penstock.http.exchange.Settings}. How many
 * requests may be suspended, and for how long, is {@code SuspensionLimit}'s. Begin with {@code Dispatcher}, then {@code
 * ServerExchange}.
 */
@NullMarked
package dev.penstock.http.exchange;

import org.jspecify.annotations.NullMarked;
