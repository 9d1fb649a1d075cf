/**
 * The journal of an upload: the few facts about it that change, on the disk in such a way that a crash at any moment
 * leaves the old ones or the new ones.
 *
 * <p>A {@link dev.penstock.transfer.store.journal.JournalRecord} has them all, with a checksum; a {@link
 * dev.penstock.transfer.store.journal.Journal} is a file with room for two of them, written in turn. Each says in which
 * boot of the machine it was written. If that is the present one, only
 * processes have ended since, and the files are as they were left; if it is another, nothing counts but what had been
 * forced to the disk, and the record says how much that was.
 *
 * <p>Everything here works on files that its callers open and close through a {@link
 * dev.penstock.transfer.store.journal.Disk}, which tests replace by one that fails; what must not be cut short by an
 * interrupt is done by {@link dev.penstock.transfer.store.journal.Uninterrupted}. It keeps no state of its own. Begin
 * with {@code JournalRecord}.
 */
@NullMarked
package dev.penstock.transfer.store.journal;

import org.jspecify.annotations.NullMarked;
