/**
 * Event loops: the few threads that serve all connections, with their timers and buffers.
 *
 * <p>{@link dev.penstock.http.loop.EventLoops} is the group of them, made and ended with a server. Each connection
 * stays on one {@link dev.penstock.http.loop.Loop} from the moment it is accepted until it is closed; that loop gives
 * it a tick ten times a second for its time limits ({@link dev.penstock.http.loop.ServerConnection}), and has a {@link
 * dev.penstock.http.loop.TimerWheel} for what waits longer. Nothing on a loop may block, since thousands of connections
 * wait for the same thread: handlers that may block are given threads of their own, which the loop starts together
 * where several are due. One loop accepts connections for all listeners, on TCP and at Unix domain sockets; why the
 * channels of the latter are our own: docs/decisions/unix-sockets.md.
 *
 * <p>Invariants: a connection's state is changed on its loop only; an error in one connection, in a timer or in
 * accepting does not end the loop; a loop that has ended for want of memory is reported once and never restarted. Begin
 * with {@code EventLoops}, then {@code Loop}.
 */
@NullMarked
package dev.penstock.http.loop;

import org.jspecify.annotations.NullMarked;
