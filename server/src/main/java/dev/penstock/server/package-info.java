/** The runnable {@code penstock}: what its command line says, wired together. */
@org.jspecify.annotations.NullMarked
package dev.penstock.server;
