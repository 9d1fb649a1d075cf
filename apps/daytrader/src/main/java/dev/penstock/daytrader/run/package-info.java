/**
 * Calls of the services: directly, on a new object each ({@link dev.penstock.daytrader.run.DirectCalls}), or on
 * the instances of service pools ({@link dev.penstock.daytrader.run.PooledCalls}). Pages know {@link
 * dev.penstock.daytrader.run.TradeCalls} alone, so the business logic is written once.
 */
@NullMarked
package dev.penstock.daytrader.run;

import org.jspecify.annotations.NullMarked;
