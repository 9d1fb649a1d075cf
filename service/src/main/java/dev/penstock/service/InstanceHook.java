package dev.penstock.service;

/**
 * An action at the start or end of a service object's life, such as opening and closing its connection.
 *
 * @param <S> the service
 */
@FunctionalInterface
public interface InstanceHook<S> {
    /** Acts on a service object that no call uses. Runs on a thread of the pool, never on a caller's. */
    void run(S service, InstanceContext context) throws Exception;
}
