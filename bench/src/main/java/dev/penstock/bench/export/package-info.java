/**
 * Large tables over HTTP: their speed, their memory, clients that are slow and clients that go.
 *
 * <p>All four experiments use made-up rows like those of TPC-H's lineitem table ({@link
 * dev.penstock.bench.export.LineitemDatabase}) and a server with the gateway. {@link
 * dev.penstock.bench.export.ExportExperiment} compares speeds with what drivers can do themselves ({@link
 * dev.penstock.bench.export.DirectExport}), {@link dev.penstock.bench.export.MemoryExperiment} looks at the live heap
 * meanwhile, {@link dev.penstock.bench.export.SlowClientsExperiment} at what slow clients do to others, and {@link
 * dev.penstock.bench.export.CancelExperiment} at how long a query outlives its client. The JMH benchmarks of row
 * formats look closer, at rows in memory ({@link dev.penstock.bench.export.MemoryRows}).
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.export;
