package dev.penstock.http.loop;

/**
 * A connection of whatever protocol, as the server looks after it. On its event loop, save where a method says
 * otherwise.
 */
public interface ServerConnection {
    /** Called about ten times a second, for its time limits. */
    void tick(long now);

    /** Takes no further request; what waits is refused, what runs goes on. */
    void stop();

    /** Breaks the connection, so that the client gets an error and no end. On any thread. */
    void reset();

    /** Returns whether there is nothing left to look after: closed, and no handler runs. */
    boolean isOver();
}
