@org.jspecify.annotations.NullUnmarked
package dev.penstock.query.typed.stream;
