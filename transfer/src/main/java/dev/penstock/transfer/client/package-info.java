/**
 * A client that puts and gets bodies of any size, and resumes what broke off.
 *
 * <p>Begin with {@code TransferClient}. {@code FileDownload} runs a download to a file: whether what lies on the disk
 * is good is for {@code DownloadState} of the package {@code resume} to say, and whether the server's file is still the
 * same one (its strong tag and its length) for {@code RangeRequests}.
 */
@NullMarked
package dev.penstock.transfer.client;

import org.jspecify.annotations.NullMarked;
