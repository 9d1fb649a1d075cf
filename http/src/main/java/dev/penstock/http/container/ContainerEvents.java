package dev.penstock.http.container;

/** The events of an accepted request, told by an adapter. Each on any thread, none of them waits. */
public interface ContainerEvents {
    /**
     * The response can be written to: for the first time, or again after {@link ContainerRequest#canWrite} said that it
     * could not.
     */
    void writable();

    /** The same of the request's body, and {@link ContainerRequest#canRead}. */
    void readable();

    /** All of the body was read. */
    void bodyEnded();

    /**
     * The rest of the body is malformed, or will not come: the request is answered for that as long as its response has
     * not begun. The client may still be there, or not; that shows by {@link #gone}.
     */
    void bodyFailed(Throwable why);

    /** The client has gone, or the other server has given it up. */
    void gone(Throwable why);

    /** The other server stops: it waits no more. */
    void stop();
}
