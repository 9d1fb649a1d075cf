@org.jspecify.annotations.NullUnmarked
package dev.penstock.follow.binlog;
