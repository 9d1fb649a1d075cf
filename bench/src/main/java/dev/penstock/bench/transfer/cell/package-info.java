/**
 * The eight cells of the article on chunked transfer: a server reads or returns, a client sends or receives 200 MB, as
 * one array or in chunks.
 *
 * <p>A {@link dev.penstock.bench.transfer.cell.Cell} is one of them. Its measured side runs in a JVM of its own: {@link
 * dev.penstock.bench.transfer.cell.MeasuredServer} or {@link dev.penstock.bench.transfer.cell.MeasuredClient}, which
 * read from a file, or write to one, as the article's programs do. Whole bodies go by the JDK's own server and client,
 * chunks by Penstock's. The other side is that of {@code load}, in this JVM. {@link
 * dev.penstock.bench.transfer.cell.CellUnderTest} is a running cell as the parent sees it.
 *
 * <p>Two things are measured apart. {@link dev.penstock.bench.transfer.cell.CellTimes} measures time, processor time
 * and collections in a heap that is large enough. {@link dev.penstock.bench.transfer.cell.SmallestHeap} starts the cell
 * again and again with less heap, and finds the smallest in which the whole body still arrives: that is what a cell
 * needs, which the heap that it fills when it has plenty does not tell. {@link
 * dev.penstock.bench.transfer.cell.CellsPart} writes both down, {@link dev.penstock.bench.transfer.cell.ManyPart} does
 * the same for many bodies at once.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.transfer.cell;
