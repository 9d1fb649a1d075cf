/**
 * The demo: the server of {@code penstock-server} on an embedded H2 with sample data, the sample applications mounted
 * on it, and three pages of its own. {@link dev.penstock.demo.DemoCommand} is where to begin: it opens {@link
 * dev.penstock.demo.DemoDatabase}, which fills a file once, and mounts the presidents, the film store, {@link
 * dev.penstock.demo.WaitsPage} (requests that wait without a thread), {@link dev.penstock.demo.PoolsPage} (a service
 * pool at work) and {@link dev.penstock.demo.GeneratorPage} (code for a database). {@link
 * dev.penstock.demo.FilmsCommand} makes the film store in a database of the user's.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.demo;
