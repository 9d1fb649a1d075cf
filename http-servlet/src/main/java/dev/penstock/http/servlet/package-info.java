/**
 * The server's handlers in a servlet container.
 *
 * <p>{@link dev.penstock.http.servlet.PenstockServlet} is registered with a container such as Jetty or Tomcat, as one
 * that answers asynchronously. It starts a server that listens on no port, and gives it each request as a {@code
 * ServletContainerRequest}: the container's request and response as the server's {@code container} package sees them.
 * From then on the container's thread is free. What the container can take, and what has come, it says by the listeners
 * of {@code jakarta.servlet}; the server answers on its event loops and the handlers' threads. Which of a
 * container's requests are refused is decided there as well, in the package {@code http.container}.
 *
 * <p>Invariants: the container's streams are used without blocking, and by one thread at a time; a response that failed
 * is broken off, as far as a container can, and never ended as if it were whole. Begin with {@code PenstockServlet}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.http.servlet;
