package dev.penstock.service.proxy;

/** The way in which a method of a proxy is called, as its return type decides. */
public enum CallKind {
    /** The caller waits on its own thread, and gets the result or what was thrown. */
    BLOCKING,
    /** The caller goes on at once; nobody gets a result. Methods that return {@code void}. */
    ONE_WAY,
    /** The caller gets a future at once. Methods that return a future or a stage. */
    ASYNCHRONOUS
}
