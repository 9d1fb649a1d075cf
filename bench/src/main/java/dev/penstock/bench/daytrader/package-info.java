/**
 * The trading application under load, on service pools and on what people would otherwise use.
 *
 * <p>Begin with {@link dev.penstock.bench.daytrader.DayTraderExperiment}, which lists the parts. A part starts the
 * application in a JVM of its own by a {@code TradePlan}, which says by which {@code TradeWay} the services are called
 * and where their connections come from; {@code TradeUnderTest} puts load on it, as a {@code TradeScript} has it, and
 * watches it meanwhile.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.daytrader;
