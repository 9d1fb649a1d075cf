/**
 * The side of a transfer that is not measured: as cheap as it can be, and always the same.
 *
 * <p>{@link dev.penstock.bench.transfer.load.RawConnection} speaks HTTP/1.1 over a blocking socket without any library;
 * a file is sent by the operating system, and what comes is read into one buffer and dropped, at most with a checksum.
 * {@link dev.penstock.bench.transfer.load.RawClient} sends and receives with it, {@link
 * dev.penstock.bench.transfer.load.RawServer} answers, {@link dev.penstock.bench.transfer.load.TusUpload} is the client
 * of every tus server alike, and {@link dev.penstock.bench.transfer.load.Http2Download} receives over TLS. {@link
 * dev.penstock.bench.transfer.load.TestFile} is what is sent, {@link dev.penstock.bench.transfer.load.Together} runs
 * many at once.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.transfer.load;
