package dev.penstock.service;

import org.jspecify.annotations.Nullable;

/**
 * A call of a service that returns something.
 *
 * @param <S> the service
 * @param <T> what the call returns
 * @param <X> the checked exception that it throws; inferred as {@link RuntimeException} where there is none
 */
@FunctionalInterface
public interface ServiceCall<S, T extends @Nullable Object, X extends Exception> {
    /** Calls the service, which is used by nothing else meanwhile and must not be kept. */
    T call(S service) throws X;
}
