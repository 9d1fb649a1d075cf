/**
 * A storm: many uploads and downloads at once in a tiny heap, a third of them over a proxy that breaks connections,
 * while the server is killed every few seconds and started again.
 *
 * <p>{@link dev.penstock.bench.transfer.storm.StormPart} runs it. The server is a JVM of its own that is killed as by
 * {@code kill -9}; {@link dev.penstock.bench.transfer.storm.StormServer} starts it again on the same port and
 * directory. {@link dev.penstock.bench.transfer.storm.StormClients} are the clients, all in one other JVM. {@link
 * dev.penstock.bench.transfer.storm.CuttingProxy} stands between some of them and the server. {@link
 * dev.penstock.bench.transfer.storm.OffsetWatch} asks for the offset of every upload all the time: one that was stated
 * must never go back.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.transfer.storm;
