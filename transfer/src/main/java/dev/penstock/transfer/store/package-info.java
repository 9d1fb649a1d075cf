/**
 * Uploads in directories, and what they may use.
 *
 * <p>An {@link dev.penstock.transfer.store.UploadStore} has a directory open. It keeps an {@code UploadEntry} in memory
 * for each upload, a few hundred bytes; what it was created with is read from its {@code UploadDirectory} when somebody
 * asks. The life of an upload:
 *
 * <ul>
 * <li>{@code Creation} checks it, reserves its bytes in the {@code Reservations}, asks the application, and lays the
 * directory down. The description is written last: without it there is no upload.
 * <li>{@code AppendRun} copies a body into its data through one buffer of the {@code BufferPool}, by the rules of
 * {@code AppendLimits}; {@code WriteBack} has the disk follow, so that little is left to be forced in the end.
 * <li>{@code Completion} takes an upload that has all its bytes through its last stages: forced, scanned, moved, told.
 * <li>{@code Removal} ends it, when it is deleted, rejected or expired ({@code Sweeper}). The description goes first.
 * <li>{@code Recovery} takes up all uploads when the store is opened, at whatever stage they were, and decides how many
 * bytes of each still count after a crash of the process or of the machine.
 * </ul>
 *
 * <p>How far an upload is stands in the length of its data and in its journal (package {@code journal}). Invariants: an
 * offset that was stated is never taken back, but after a disk has failed or as the durability allows; whatever lies
 * behind the offset is cut off before anything is written there; bytes whose digest was not compared are never stated.
 *
 * <p>Of two requests for one upload the newer one wins. A request holds the upload's lock while it writes a buffer, and
 * not while it waits for its body. So the newer one takes the lock and marks the older one as ended; that can write
 * nothing from then on, and nobody waits for it. Who asks for the state reads volatile fields, without that lock. A
 * hook of the application runs under no lock but {@code finishing}, for which only those wait who want the upload
 * completed.
 *
 * <p>The files of a directory belong to one store at a time. Begin with {@code UploadStore}, then {@code AppendRun}.
 */
@NullMarked
package dev.penstock.transfer.store;

import org.jspecify.annotations.NullMarked;
