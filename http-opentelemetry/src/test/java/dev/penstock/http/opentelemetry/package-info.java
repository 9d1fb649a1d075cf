@org.jspecify.annotations.NullMarked
package dev.penstock.http.opentelemetry;
