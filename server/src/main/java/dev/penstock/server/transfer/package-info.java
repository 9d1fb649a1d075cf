/**
 * Files and uploads as the server has them: the routes below {@code /files} and {@code /uploads}, who may use them, and
 * how many at once.
 *
 * <p>{@link dev.penstock.server.transfer.FileService} hands out the files of a directory, by the file handler of {@code
 * http}. {@link dev.penstock.server.transfer.UploadService} mounts the protocols of {@code transfer} behind {@code
 * UploadAccess}, which decides for each request whose it is: with tokens, their owner's; without, of this machine
 * alone, and never of a web page from elsewhere. A browser that asks for {@code /uploads} gets the page {@link
 * dev.penstock.server.page.UploadsPage}, which is a client of the same protocol.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.transfer;
