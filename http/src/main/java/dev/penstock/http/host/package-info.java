/** What passes between this server's handlers and another server that they run in. For adapters only. */
@org.jspecify.annotations.NullMarked
package dev.penstock.http.host;
