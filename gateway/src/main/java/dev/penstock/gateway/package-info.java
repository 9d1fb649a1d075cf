/** A database's tables over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.penstock.gateway;
