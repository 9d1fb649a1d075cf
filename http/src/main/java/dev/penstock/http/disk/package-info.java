/**
 * What is known of files that are sent: which of their bytes the operating system has in memory, and threads that read
 * the others.
 *
 * <p>A read from a disk can take milliseconds, and from a network file system any time at all. An event loop that waits
 * for one keeps all its connections waiting, and a virtual thread that does so keeps its carrier: reads of files are
 * not among the operations for which the JDK lets another thread run. So neither reads what is not in memory.
 *
 * <p>A response asks its {@code ReadAhead} how far it may go from a position. That is cheap where a file was sent a
 * moment ago. Else the operating system is asked whether it has the next MiB ({@code Residency}), which costs a tenth
 * of sending that; where it has one after the other, only every eighth is asked about, until one turns out to be slow.
 * If the next bytes are not there, or nobody can tell, one of a few threads reads them ({@code FileReaders}), and the
 * response goes on when that is done. While it sends them, the next are read.
 *
 * <p>Invariants: at most two segments of a file are ahead of a response, in the operating system's memory and none of
 * this process's; a file is let go of only when no thread reads it any more; whoever waits for a segment is served
 * after it, so that each wait leads to progress, also where memory is so short that pages leave at once.
 *
 * <p>Begin with {@code ReadAhead}.
 */
@NullMarked
package dev.penstock.http.disk;

import org.jspecify.annotations.NullMarked;
