package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Requests that two servers could read in two ways, or that no server should read. */
@Tag("any-loops")
final class MalformedRequestIT extends ServerFixture {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n";
    private static final String POST = "POST /a HTTP/1.1\r\nHost: x\r\n";

    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    private static final Case[] CASES = {
        new Case(
                400,
                "length and coding",
                POST + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        new Case(400, "two lengths", POST + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"),
        new Case(
                400,
                "two equal lengths",
                POST + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"),
        new Case(400, "list of lengths", POST + "Content-Length: 3, 3\r\n\r\nabc"),
        new Case(400, "negative length", POST + "Content-Length: -3\r\n\r\nabc"),
        new Case(400, "signed length", POST + "Content-Length: +3\r\n\r\nabc"),
        new Case(400, "hexadecimal length", POST + "Content-Length: 0x3\r\n\r\nabc"),
        new Case(400, "length of nothing", POST + "Content-Length: \r\n\r\nabc"),
        new Case(
                400, "length beyond a long", POST + "Content-Length: 99999999999999999999\r\n\r\n"),
        new Case(413, "length beyond the limit", POST + "Content-Length: 999999999999\r\n\r\n"),
        new Case(400, "folded header", GET + "X: a\r\n b\r\n\r\n"),
        new Case(400, "folded with a tab", GET + "X: a\r\n\tb\r\n\r\n"),
        new Case(400, "fold before the first header", "GET /a HTTP/1.1\r\n Host: x\r\n\r\n"),
        new Case(400, "bare CR in a value", GET + "X: a\rb\r\n\r\n"),
        new Case(400, "bare CR before CR LF", GET + "X: a\r\r\n\r\n"),
        new Case(400, "bare LF after a header", GET + "X: a\nY: b\r\n\r\n"),
        new Case(400, "bare LF after the request line", "GET /a HTTP/1.1\nHost: x\r\n\r\n"),
        new Case(400, "bare LF at the end", GET + "\n"),
        new Case(400, "space before the colon", GET + "X : a\r\n\r\n"),
        new Case(400, "tab before the colon", GET + "X\t: a\r\n\r\n"),
        new Case(400, "space in a name", GET + "X Y: a\r\n\r\n"),
        new Case(400, "name of nothing", GET + ": a\r\n\r\n"),
        new Case(400, "no colon", GET + "X\r\n\r\n"),
        new Case(400, "parenthesis in a name", GET + "X(: a\r\n\r\n"),
        new Case(400, "byte above ASCII in a name", GET + "X\u00e9: a\r\n\r\n"),
        new Case(400, "NUL in a value", GET + "X: a\0b\r\n\r\n"),
        new Case(400, "NUL in the target", "GET /a\0 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "DEL in a value", GET + "X: \u007f\r\n\r\n"),
        new Case(400, "no host", "GET /a HTTP/1.1\r\n\r\n"),
        new Case(400, "two hosts", GET + "Host: x\r\n\r\n"),
        new Case(400, "host with a space", "GET /a HTTP/1.1\r\nHost: x y\r\n\r\n"),
        new Case(400, "host with a path", "GET /a HTTP/1.1\r\nHost: x/y\r\n\r\n"),
        new Case(400, "coding that is not chunked", POST + "Transfer-Encoding: identity\r\n\r\n"),
        new Case(400, "coding after chunked", POST + "Transfer-Encoding: chunked, gzip\r\n\r\n"),
        new Case(
                501,
                "coding before chunked",
                POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        new Case(400, "coding misspelt", POST + "Transfer-Encoding: xchunked\r\n\r\n"),
        new Case(
                400,
                "coding in HTTP/1.0",
                "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "chunk size of letters",
                POST + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n"),
        new Case(
                400,
                "negative chunk size",
                POST + "Transfer-Encoding: chunked\r\n\r\n-1\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "chunk size with 0x",
                POST + "Transfer-Encoding: chunked\r\n\r\n0x2\r\nab\r\n0\r\n\r\n"),
        new Case(
                413,
                "chunk size beyond an int",
                POST + "Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "chunk size of nothing",
                POST + "Transfer-Encoding: chunked\r\n\r\n\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "chunk longer than its size",
                POST + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n"),
        new Case(
                400,
                "chunk size ended by LF",
                POST + "Transfer-Encoding: chunked\r\n\r\n2\nab\r\n0\r\n\r\n"),
        new Case(400, "bare LF in a chunk extension", CHUNKED + "2;x\nab\r\n0\r\n\r\n"),
        new Case(400, "bare CR in a chunk extension", CHUNKED + "2;\rx\r\nab\r\n0\r\n\r\n"),
        new Case(400, "NUL in a chunk extension", CHUNKED + "2;\0\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "long chunk extension",
                CHUNKED + "2;" + "x".repeat(300) + "\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "many chunk extensions",
                CHUNKED + ("1;" + "x".repeat(200) + "\r\na\r\n").repeat(100) + "0\r\n\r\n"),
        new Case(400, "extension without a name", CHUNKED + "2;\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension of a value alone", CHUNKED + "2;=x\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension without its value", CHUNKED + "2;x=\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension with a bracket", CHUNKED + "2;a[=x\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension with a bracket as value", CHUNKED + "2;a=[\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension with an open quote", CHUNKED + "2;a=\"b\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension that ends in \\", CHUNKED + "2;a=\"b\\\r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension behind its quotes", CHUNKED + "2;a=\"b\"c\r\nab\r\n0\r\n\r\n"),
        new Case(400, "byte above ASCII as extension", CHUNKED + "2;\u00ff\r\nab\r\n0\r\n\r\n"),
        new Case(400, "two extensions, one empty", CHUNKED + "2;a;;b\r\nab\r\n0\r\n\r\n"),
        new Case(400, "space behind an extension", CHUNKED + "2;a \r\nab\r\n0\r\n\r\n"),
        new Case(400, "extension of the last chunk", CHUNKED + "2\r\nab\r\n0;\r\n\r\n"),
        new Case(400, "length as a trailer", CHUNKED + "0\r\nContent-Length: 7\r\n\r\n"),
        new Case(400, "coding as a trailer", CHUNKED + "0\r\ntransfer-encoding: chunked\r\n\r\n"),
        new Case(400, "host as a trailer", CHUNKED + "0\r\nHOST: y\r\n\r\n"),
        new Case(400, "user as a trailer", CHUNKED + "0\r\nAuthorization: y\r\n\r\n"),
        new Case(400, "length with zeros in front", POST + "Content-Length: 002\r\n\r\nab"),
        new Case(400, "length of two zeros", POST + "Content-Length: 00\r\n\r\n"),
        new Case(400, "length behind two spaces", POST + "Content-Length:  2\r\n\r\nab"),
        new Case(400, "length before a space", POST + "Content-Length: 2 \r\n\r\nab"),
        new Case(400, "length behind a tab", POST + "Content-Length:\t2\r\n\r\nab"),
        new Case(400, "length with an underscore", POST + "content_Length: 2\r\n\r\nab"),
        new Case(400, "coding with an underscore", POST + "Transfer_Encoding: chunked\r\n\r\n"),
        new Case(
                400,
                "coding behind two spaces",
                POST + "Transfer-Encoding:  chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding behind an empty one",
                POST + "Transfer-Encoding: , chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding before an empty one",
                POST + "Transfer-Encoding: chunked,\r\n\r\n0\r\n\r\n"),
        new Case(400, "host of nothing", "GET /a HTTP/1.1\r\nHost:\r\n\r\n"),
        new Case(400, "host of a port", "GET /a HTTP/1.1\r\nHost: :80\r\n\r\n"),
        new Case(400, "host with a port that none is", "GET /a HTTP/1.1\r\nHost: x:65536\r\n\r\n"),
        new Case(400, "host with port 99999", "GET /a HTTP/1.1\r\nHost: x:99999\r\n\r\n"),
        new Case(400, "host with half an escape", "GET /a HTTP/1.1\r\nHost: x%4\r\n\r\n"),
        new Case(400, "host with colons in brackets", "GET /a HTTP/1.1\r\nHost: [:::]\r\n\r\n"),
        new Case(400, "host with text behind it", "GET /a HTTP/1.1\r\nHost: [::1]a\r\n\r\n"),
        new Case(400, "backslash in the path", "GET /a\\b HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "space behind a chunk size", CHUNKED + "2 \r\nab\r\n0\r\n\r\n"),
        new Case(400, "space before a chunk size", CHUNKED + " 2\r\nab\r\n0\r\n\r\n"),
        new Case(400, "tab behind a chunk size", CHUNKED + "2\t\r\nab\r\n0\r\n\r\n"),
        new Case(400, "text behind a chunk size", CHUNKED + "2 a\r\nab\r\n0\r\n\r\n"),
        new Case(400, "signed chunk size", CHUNKED + "+2\r\nab\r\n0\r\n\r\n"),
        new Case(400, "chunk size with an underscore", CHUNKED + "0_2\r\nab\r\n0\r\n\r\n"),
        new Case(400, "chunk size beyond a long", CHUNKED + "10000000000000002\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "chunk size that is negative as a long",
                CHUNKED + "fffffffffffffffe\r\nab\r\n0\r\n\r\n"),
        new Case(
                400,
                "many zeros before a chunk size",
                CHUNKED + "0".repeat(300) + "2\r\nab\r\n0\r\n\r\n"),
        new Case(400, "chunk shorter than its size", CHUNKED + "3\r\nab\r\n0\r\n\r\n"),
        new Case(400, "chunk ended by LF", CHUNKED + "2\r\nab\n0\r\n\r\n"),
        new Case(400, "chunk ended by CR", CHUNKED + "2\r\nab\r0\r\n\r\n"),
        new Case(400, "last chunk ended by LF", CHUNKED + "0\n\r\n"),
        new Case(400, "body ended by LF", CHUNKED + "0\r\n\n"),
        new Case(400, "bare LF in a trailer", CHUNKED + "0\r\nX: a\n\r\n"),
        new Case(400, "bare CR in a trailer", CHUNKED + "0\r\nX: a\rb\r\n\r\n"),
        new Case(400, "folded trailer", CHUNKED + "0\r\nX: a\r\n b\r\n\r\n"),
        new Case(400, "space before the colon of a trailer", CHUNKED + "0\r\nX : a\r\n\r\n"),
        new Case(400, "trailer without a colon", CHUNKED + "0\r\nX\r\n\r\n"),
        new Case(400, "request for a trailer", CHUNKED + "0\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "NUL in a trailer", CHUNKED + "0\r\nX: \0\r\n\r\n"),
        new Case(431, "long trailer", CHUNKED + "0\r\nX: " + "a".repeat(20_000) + "\r\n\r\n"),
        new Case(431, "many trailers", CHUNKED + "0\r\n" + "X: a\r\n".repeat(200) + "\r\n"),
        new Case(
                400,
                "coding twice",
                POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding twice in a line",
                POST + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        new Case(400, "coding in quotes", POST + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding with a parameter",
                POST + "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n"),
        new Case(400, "coding of nothing", POST + "Transfer-Encoding:\r\n\r\n"),
        new Case(
                400,
                "coding of nothing, and a length",
                POST + "Content-Length: 3\r\nTransfer-Encoding: \r\n\r\nabc"),
        new Case(
                400,
                "coding behind a vertical tab",
                POST + "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding before a form feed",
                POST + "Transfer-Encoding: chunked\f\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding behind a byte above ASCII",
                POST + "Transfer-Encoding: \u00a0chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding on a folded line",
                POST + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding before a colon with a space",
                POST + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "coding behind a bare CR",
                POST + "X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "identity and a length",
                POST + "Content-Length: 3\r\nTransfer-Encoding: identity\r\n\r\nabc"),
        new Case(
                400,
                "length of zero and coding",
                POST + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        new Case(
                400,
                "length and coding, and a request within",
                POST
                        + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + GET
                        + "\r\n"),
        new Case(400, "length with a blank in it", POST + "Content-Length: 3 3\r\n\r\nabc"),
        new Case(400, "length with a fraction", POST + "Content-Length: 3.0\r\n\r\nabc"),
        new Case(400, "length with an exponent", POST + "Content-Length: 3e0\r\n\r\nabc"),
        new Case(400, "length of 2^63", POST + "Content-Length: 9223372036854775808\r\n\r\n"),
        new Case(400, "length of digits above ASCII", POST + "Content-Length: \u00b3\r\n\r\nabc"),
        new Case(400, "host with port of letters", "GET /a HTTP/1.1\r\nHost: x:y\r\n\r\n"),
        new Case(400, "host with port of many digits", "GET /a HTTP/1.1\r\nHost: x:123456\r\n\r\n"),
        new Case(400, "host with two ports", "GET /a HTTP/1.1\r\nHost: x:1:2\r\n\r\n"),
        new Case(400, "host with open bracket", "GET /a HTTP/1.1\r\nHost: [::1\r\n\r\n"),
        new Case(400, "host with letters in brackets", "GET /a HTTP/1.1\r\nHost: [zz]\r\n\r\n"),
        new Case(400, "host with user", "GET /a HTTP/1.1\r\nHost: u@x\r\n\r\n"),
        new Case(400, "host with list", "GET /a HTTP/1.1\r\nHost: x, y\r\n\r\n"),
        new Case(400, "host with tab in it", "GET /a HTTP/1.1\r\nHost: x\ty\r\n\r\n"),
        new Case(
                400,
                "host other than the target's",
                "GET http://elsewhere/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(
                400,
                "port other than the target's",
                "GET http://x:81/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "empty host beside the target's", "GET http://x/a HTTP/1.1\r\nHost:\r\n\r\n"),
        new Case(400, "target with a user", "GET http://u@x/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "target without a host", "GET http:///a HTTP/1.1\r\nHost:\r\n\r\n"),
        new Case(400, "target with one slash", "GET http:/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(
                400,
                "target with a backslash in its host",
                "GET http://x\\y/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "target that is a host and port", "GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "HTTP/0.9", "GET /a\r\n"),
        new Case(400, "HTTP/0.9 with LF", "GET /a\n"),
        new Case(400, "NULs", "\0\0\0\0\0\0\0\0"),
        new Case(400, "method in quotes", "\"GET\" /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(417, "expectations in a list", GET + "Expect: 100-continue, miracle\r\n\r\n"),
        new Case(501, "long method without end", "G".repeat(9000)),
        new Case(501, "long method", "G".repeat(9000) + " /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(431, "many headers without end", GET + "X: a\r\n".repeat(200)),
        new Case(417, "another expectation", GET + "Expect: miracle\r\n\r\n"),
        new Case(505, "HTTP/2", "GET /a HTTP/2.0\r\nHost: x\r\n\r\n"),
        new Case(505, "HTTP/1.2", "GET /a HTTP/1.2\r\nHost: x\r\n\r\n"),
        new Case(400, "version in lower case", "GET /a http/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "version of many digits", "GET /a HTTP/1.10\r\nHost: x\r\n\r\n"),
        new Case(400, "no version", "GET /a\r\nHost: x\r\n\r\n"),
        new Case(400, "two spaces", "GET  /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "tab for a space", "GET\t/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "space in front", " GET /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "space at the end", "GET /a HTTP/1.1 \r\nHost: x\r\n\r\n"),
        new Case(400, "method that is no token", "G@T /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "target without slash", "GET a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "target of another scheme", "GET ftp://x/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "asterisk for GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "fragment", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "raw byte above ASCII", "GET /\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "escape without digits", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "escape cut off", "GET /a% HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "escape cut off in the query", "GET /a?b=%2 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "escaped NUL", "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "escapes that are no UTF-8", "GET /%c3%28 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "overlong UTF-8", "GET /%c0%af HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "escaped surrogate", "GET /%ed%a0%80 HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(400, "TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n"),
        new Case(
                414,
                "long request line",
                "GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
        new Case(414, "long request line without end", "GET /" + "a".repeat(9000)),
        new Case(431, "long header", GET + "X: " + "a".repeat(30_000) + "\r\n\r\n"),
        new Case(431, "long header without end", GET + "X: " + "a".repeat(30_000)),
        new Case(431, "many headers", GET + "X: a\r\n".repeat(200) + "\r\n"),
    };

    /** What is said of a request in the log: where it came from, and words of our own. */
    private static final String LOGGED =
            "Refused (the body of )?a request from 127\\.0\\.0\\.1 with \\d{3}: [a-zA-Z0-9 ,^*/.()-]+";

    private static final Logger LOGGER = Logger.getLogger("dev.penstock.http");
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Handler watcher =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    log.add(line.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void watch() {
        LOGGER.addHandler(watcher);
    }

    @AfterEach
    void watchNoMore() {
        LOGGER.removeHandler(watcher);
    }

    private record Case(int status, String name, String request, int orElse) {
        Case(int status, String name, String request) {
            this(status, name, request, status);
        }
    }

    private Server echo() {
        return start(b ->
                b.get("/a", x -> x.respond(200, "text/plain", "got"))
                        .route(
                                "POST",
                                "/a",
                                x -> {
                                    byte[] all = Bodies.readAll(x.requestBody());
                                    x.respond(200, "text/plain", all);
                                }));
    }

    @TestFactory
    List<DynamicTest> request_malformed_isRefusedAndTheConnectionClosed() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Case one : CASES) {
            tests.add(DynamicTest.dynamicTest(one.name, () -> refuses(one)));
        }
        return tests;
    }

    private void refuses(Case one) throws Exception {
        Server server = echo();
        log.clear();
        try (RawClient client = new RawClient(server.port())) {
            client.send(one.request);
            Reply reply = client.reply();
            assertThat(reply.status()).isIn(one.status, one.orElse);
            assertThat(reply.header("Connection")).contains("close");
            assertThat(reply.header("Content-Type")).contains("application/problem+json");
            assertThat(reply.text()).startsWith("{\"type\":").endsWith("}");
            assertThat(client.atEnd()).isTrue();
        }
        nothingIsLeftBehind();
        if (one.status != 413 || one.request.contains("chunked")) {
            assertThat(log).singleElement().asString().matches(LOGGED);
        }
    }

    @Test
    void request_malformedBehindAGoodOne_isRefusedAfterThatOnesResponse() throws Exception {
        Server server = echo();
        try (RawClient client = new RawClient(server.port())) {
            client.send(GET + "\r\n" + "GET /a HTTP/1.1\r\nHost : x\r\n\r\n" + GET + "\r\n");
            assertThat(client.reply().status()).isEqualTo(200);
            assertThat(client.reply().status()).isEqualTo(400);
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void body_coded_isRefusedBeforeAnybodyDecodesIt() throws Exception {
        Server server = echo();
        try (RawClient client = new RawClient(server.port())) {
            String coded = POST + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc";
            Reply reply = client.send(coded).reply();
            assertThat(reply.status()).isEqualTo(415);
            assertThat(reply.header("Accept-Encoding")).contains("identity");
            assertThat(client.send(coded.replace("gzip", "identity")).reply().text())
                    .isEqualTo("abc");
        }
    }

    @Test
    void request_malformedInEveryWay_isRefusedHoweverItsBytesAreSplit() throws Exception {
        Server server = echo();
        for (Case one : CASES) {
            if (one.request.length() > 400) {
                continue;
            }
            try (RawClient client = new RawClient(server.port())) {
                for (int i = 0; i < one.request.length(); i++) {
                    client.send(one.request.substring(i, i + 1));
                }
                assertThat(client.reply().status()).as(one.name).isIn(one.status, one.orElse);
            } catch (java.net.SocketException _) {
                // It was refused before all of it was sent.
            }
        }
    }

    @Test
    void request_ofManyUnusualButValidForms_isAnswered() throws Exception {
        Server server = echo();
        String[] requests = {
            "\r\n\r\n" + GET + "\r\n",
            "GET http://x:80/a HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET HTTPS://X/a HTTP/1.1\r\nHost: x:443\r\n\r\n",
            "GET /a?b={x|y}\"<>^`[]\\ HTTP/1.1\r\nHost: x\r\n\r\n",
            GET + "X: \u00e9\r\nY:\r\nZ:\t a \t\r\n!#$%&'*+-.^_`|~: a\r\n\r\n",
            "GET /a HTTP/1.1\r\nhOsT:x:8080\r\n\r\n",
            "GET /%61 HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
            "GET /a HTTP/1.0\r\nConnection: x, Keep-Alive\r\n\r\n",
            GET + "Content-Length: 0\r\n\r\n",
            GET + "Content-Length: 2\r\n\r\nab",
            POST + "Content-Length:2\r\n\r\nab",
            POST + "Expect: ,\r\nContent-Length: 2\r\n\r\nab",
            CHUNKED + "002 ; x=\"y\"\r\nab\r\n0;z\r\n\r\n",
            CHUNKED + "1\r\na\r\n000000000000000000001\r\nb\r\n0\r\nA: b\r\nDigest: 7\r\n\r\n",
            POST + "Transfer-Encoding: Chunked\r\n\r\n2;x=y\r\nab\r\n00\r\nX-Trailer: a\r\n\r\n",
        };
        try (RawClient client = new RawClient(server.port())) {
            for (String request : requests) {
                Reply reply = client.send(request).reply();
                assertThat(reply.status()).as(request).isEqualTo(200);
                assertThat(reply.text()).isEqualTo(request.startsWith("P") ? "ab" : "got");
            }
        }
    }
}
