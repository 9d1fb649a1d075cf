/**
 * Huge bodies in chunks, both ways, beside whole bodies and beside other servers.
 *
 * <p>{@link dev.penstock.bench.transfer.TransferExperiment} has parts, which can be run alone: the article's eight
 * cells and many bodies at once ({@code cell}), uploads and downloads beside other servers ({@code peer}), and a storm
 * of transfers in a tiny heap while connections break and the server is killed ({@code storm}). What they have in
 * common, the cheap other side of every transfer, is in {@code load}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.transfer;
