/**
 * What the server writes of requests: a line for each one that is done with ({@code AccessLog}), and lines for what was
 * refused before there was a request ({@code RejectionLog}, at most 100 a second, the rest counted). Nothing here
 * blocks an event loop.
 */
@NullMarked
package dev.penstock.http.log;

import org.jspecify.annotations.NullMarked;
