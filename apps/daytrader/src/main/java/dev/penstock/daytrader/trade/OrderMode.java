package dev.penstock.daytrader.trade;

/** The moments at which an order can be completed. */
public enum OrderMode {
    /** In the transaction that submits it. */
    SYNCHRONOUS,
    /** Afterwards, by another call. */
    ASYNCHRONOUS
}
