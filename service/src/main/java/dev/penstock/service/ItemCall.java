package dev.penstock.service;

import org.jspecify.annotations.Nullable;

/**
 * A call of a service with one of several items.
 *
 * @param <S> the service
 * @param <T> the item
 * @param <R> what the call returns
 * @param <X> the checked exception that it throws; inferred as {@link RuntimeException} where there is none
 */
@FunctionalInterface
public interface ItemCall<S, T, R extends @Nullable Object, X extends Exception> {
    /** Calls the service, which is used by nothing else meanwhile and must not be kept. */
    R call(S service, T item) throws X;
}
