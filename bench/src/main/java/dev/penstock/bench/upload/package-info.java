/**
 * Files sent to a server by forms, many at once.
 *
 * <p>{@link dev.penstock.bench.upload.UploadsExperiment} starts an {@link dev.penstock.bench.upload.UploadServer} in a
 * small JVM of its own, which keeps what it is sent in files, and sends it forms by {@link
 * dev.penstock.bench.upload.UploadClients}. What it looks at is the heap meanwhile, and whether every file is whole.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.upload;
