package dev.penstock.server.page;

import dev.penstock.http.Exchange;

/** The rules that a browser is given with a page: nothing comes from another site, and no other site frames it. */
public enum PagePolicy {
    /** A page of text and style. */
    PLAIN("form-action 'none'", "no-referrer"),

    /** A page whose script asks this server. */
    SCRIPT("script-src 'self'; connect-src 'self'; form-action 'none'", "no-referrer"),

    /** A page with a form, whose request is to say where it comes from. */
    FORM("form-action 'self'", "same-origin");

    private final String content;
    private final String referrer;

    PagePolicy(String content, String referrer) {
        this.content =
                "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; "
                        + content;
        this.referrer = referrer;
    }

    /** Sends a page with these rules. */
    public void send(Exchange exchange, int status, String cacheControl, String html) {
        exchange.header("Content-Security-Policy", content)
                .header("Cache-Control", cacheControl)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", referrer)
                .respond(status, "text/html; charset=utf-8", html);
    }
}
