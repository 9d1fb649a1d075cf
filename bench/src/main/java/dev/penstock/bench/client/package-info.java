/** The load that clients put on a server, and what they see of its answers. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.client;
