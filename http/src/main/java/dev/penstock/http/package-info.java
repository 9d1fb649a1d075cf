/**
 * What a handler of requests needs: an {@link dev.penstock.http.Exchange} is one request and its response, a
 * {@link dev.penstock.http.Handler} answers it, an {@link dev.penstock.http.Admission} limits how many run at once, and
 * an {@link dev.penstock.http.HttpException} is an answer that is an error.
 *
 * <p>A handler runs on a virtual thread of its own, where it may block, and writes to a {@link
 * dev.penstock.http.ResponseBody} that blocks while the client is slower. Or it {@linkplain
 * dev.penstock.http.Exchange#suspend suspends} its exchange and lets the thread go; {@link dev.penstock.http.Processes}
 * does so while a child process works.
 *
 * <p>Servers are started with {@code dev.penstock.http.server.Server}; {@code dev.penstock.http.events} has server-sent
 * events and polling, {@code dev.penstock.http.websocket} WebSockets. Nothing in this package opens a socket or starts
 * a thread of a server: the packages that do are behind it, and it uses only {@code limits} and {@code message} of
 * them.
 */
@NullMarked
package dev.penstock.http;

import org.jspecify.annotations.NullMarked;
