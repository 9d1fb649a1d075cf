package dev.penstock.http;

/**
 * Work to be done before and after the requests of a group of routes, in one object: added by {@code filter} of a
 * group. Thread-safe.
 */
public interface Filter extends Handler, AfterFilter {
    /**
     * Before the handler. A filter that answers, which is to set the status or start the body, ends the chain: neither
     * the filters behind it nor the handler are called. One that suspends the exchange has the chain go on when
     * whatever resumes it has returned, unless that answered.
     */
    @Override
    default void handle(Exchange exchange) throws Exception {}

    @Override
    default void after(Exchange exchange, int status) throws Exception {}
}
