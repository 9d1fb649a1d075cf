/**
 * The state that a client keeps on the disk, so that a transfer goes on after its process was killed at any moment.
 *
 * <p>A download has two files beside its target: {@code NAME.part} with the bytes, written at their positions, and
 * {@code NAME.part.state}, a {@link dev.penstock.transfer.client.resume.Journal} of lines that say which of them are
 * there ({@link dev.penstock.transfer.client.resume.DownloadState};
 * {@link dev.penstock.transfer.client.resume.RowsState} for rows). A line is written after the bytes that it speaks
 * of, and has a checksum, so that a torn line is no line. What lies behind the last forced line counts only as long
 * as the machine has not been started anew since.
 *
 * <p>An upload has one small file in a directory of the client, named by what is sent and where to
 * ({@link dev.penstock.transfer.client.resume.UploadRecords}): it holds the URI of the upload, and the server knows
 * the rest. A stream that can't be read twice is kept in a {@link dev.penstock.transfer.client.resume.ReplayFile} as
 * far as the server has not confirmed it; that ends with the process.
 *
 * <p>While a download runs, {@link dev.penstock.transfer.client.resume.Segments} hands out what is missing, and {@link
 * dev.penstock.transfer.client.resume.RunningDigest} computes the digest of the whole as far as bytes pass in order,
 * and reads the rest again at the end.
 *
 * <p>Two processes that want the same file exclude each other by a lock that ends with its process, and two transfers
 * of one process by a {@link dev.penstock.transfer.client.resume.FileClaim}.
 */
@NullMarked
package dev.penstock.transfer.client.resume;

import org.jspecify.annotations.NullMarked;
