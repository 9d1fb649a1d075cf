package dev.penstock.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark of {@code void} methods whose callers wait. Without it a {@code void} method of a proxy is one-way: the call
 * is queued, the caller goes on at once, and what the instance throws reaches the pool's supervision and listener, or
 * the log where there is no listener. With it the caller waits as for any other method, and gets what was thrown. On an
 * interface it marks all {@code void} methods that the interface itself declares.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Blocking {}
