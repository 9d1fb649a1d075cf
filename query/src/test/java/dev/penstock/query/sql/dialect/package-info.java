@org.jspecify.annotations.NullUnmarked
package dev.penstock.query.sql.dialect;
