/**
 * Static files, beside nginx.
 *
 * <p>Begin with {@link dev.penstock.bench.files.StaticFilesExperiment}: files of several sizes, asked for by as many
 * clients as keep a server busy, and a directory of very many files (a million with {@code --full}). {@link
 * dev.penstock.bench.files.FileServer} lists the servers; nginx is a process of its own ({@link
 * dev.penstock.bench.server.Nginx}), Penstock a JVM with a small heap.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.files;
