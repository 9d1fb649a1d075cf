/** The HTTP server: exchanges, routes, streaming bodies with back-pressure, admission. */
@org.jspecify.annotations.NullMarked
// The adapter, to which a package is open, is built later.
@SuppressWarnings("module")
module dev.penstock.http {
    requires static transitive org.jspecify;
    requires jzlib;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires static java.logging;

    uses dev.penstock.http.ContentCoder;
    uses dev.penstock.http.JsonMapper;

    exports dev.penstock.http;
    exports dev.penstock.http.events;
    exports dev.penstock.http.files;
    exports dev.penstock.http.filter;
    exports dev.penstock.http.form;
    exports dev.penstock.http.server;
    exports dev.penstock.http.text;
    exports dev.penstock.http.websocket;
    exports dev.penstock.http.container to
            dev.penstock.http.servlet,
            dev.penstock.http.test;
}
