/** PostgreSQL, MariaDB and H2, started on demand on this machine and ended with the JVM. */
@org.jspecify.annotations.NullMarked
package dev.penstock.databases;
