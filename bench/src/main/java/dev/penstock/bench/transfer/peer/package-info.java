/**
 * Uploads and downloads beside other servers, each in a process of its own, asked by the same raw client.
 *
 * <p>{@link dev.penstock.bench.transfer.peer.UploadsPart} sends bodies by tus 1.0.0 to the servers of {@link
 * dev.penstock.bench.transfer.peer.TusServers}: Penstock, tus-java-server in Jetty, {@code @tus/server} on Node and
 * tusd. The last two are installed by {@link dev.penstock.bench.transfer.peer.Installation} into a directory of the
 * user's cache when npm and go are there. {@link dev.penstock.bench.transfer.peer.DownloadsPart} asks Penstock and
 * nginx for a large file, plain and over HTTP/2 and TLS. {@link dev.penstock.bench.transfer.peer.ColdPart} asks for
 * short answers beside downloads of files that are not in memory. {@link
 * dev.penstock.bench.transfer.peer.HugePart}, of a full run only, moves more bytes than any heap has, both ways.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.transfer.peer;
