/**
 * {@link dev.penstock.http.servlet.PenstockServlet} answers a servlet container's requests with the server's handlers.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.http.servlet;
