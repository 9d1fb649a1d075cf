/** Large tables over HTTP: their speed, their memory, slow clients and clients that go. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.export;
