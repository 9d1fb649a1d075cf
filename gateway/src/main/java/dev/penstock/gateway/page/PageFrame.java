package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.http.Exchange;
import java.io.IOException;

/** The frame of the gateway's pages: headers, style, and the beginning up to the title. They have no script. */
final class PageFrame {
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self';"
                    + " frame-ancestors 'none'";
    private static final String STYLE =
            """
            </title>
            <style>
            :root { color-scheme: light dark; --line: light-dark(#e2e5e9, #33373e);
              --head: light-dark(#f4f6f8, #20242a);
              --page: light-dark(#fff, #16181c); --link: light-dark(#0b5cad, #7db8ff);
                --dim: light-dark(#67707b, #99a2ad);
              --hover: light-dark(#f0f5fb, #1e242c); --chip: light-dark(#e8f0fa, #22324a); }
            * { box-sizing: border-box; }
            body { margin: 0; font: 14px/1.45 system-ui, sans-serif; background: var(--page);
              color: light-dark(#1b1f24, #e3e6ea); }
            a { color: var(--link); text-decoration: none; }
            a:hover { text-decoration: underline; }
            :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
            h1 { font-size: 1.15rem; margin: 0; display: inline; overflow-wrap: break-word; }
            h2 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
            small, .dim { color: var(--dim); font-weight: normal; }
            .z { color: var(--dim); font-style: italic; }
            code { font: 13px/1.45 ui-monospace, monospace; }
            header nav { display: inline; }
            header nav a::after { content: "\\203A"; color: var(--dim); padding: 0 .45rem; display: inline-block; }
            header { padding: .6rem .9rem; display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; align-items: baseline; }
            header > div:first-child { margin-right: auto; }
            summary { cursor: pointer; color: var(--link); }
            details[open] { flex-basis: 100%; }
            details p { margin: .4rem 0 .1rem; }
            details p a, .row p a { margin-right: .9rem; }
            form { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .45rem; }
            select, input, button { font: inherit; font-size: max(1em, 14px); padding: .3rem .45rem;
              border: 1px solid var(--line); border-radius: 6px;
              background: var(--page); color: inherit; max-width: 100%; }
            button { background: var(--link); color: var(--page); border-color: transparent; padding: .3rem .9rem;
              cursor: pointer; }
            .filters { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem; margin: 0; padding: 0;
              flex-basis: 100%; }
            .filters li { background: var(--chip); border-radius: 1rem; padding: .1rem .3rem .1rem .7rem;
              overflow-wrap: break-word; max-width: 100%; }
            .filters a { padding: 0 .4rem; }
            .n { text-align: right; font-variant-numeric: tabular-nums; }
            .w { white-space: nowrap; font-size: .9em; }
            body.list { height: 100vh; height: 100dvh; display: flex; flex-direction: column; }
            .list main { flex: 1; min-height: 0; overflow: auto; border: solid var(--line); border-width: 1px 0; }
            .list table { border-collapse: separate; border-spacing: 0; width: max-content; }
            .list th, .list td { padding: .3rem .7rem; text-align: left; vertical-align: top; white-space: nowrap;
              border-bottom: 1px solid var(--line); }
            .list th { position: sticky; top: 0; z-index: 2; background: var(--head); }
            .list th small { display: block; font-size: .8em; }
            .list th a { color: inherit; }
            .list .n { text-align: right; }
            .list td div { width: 24rem; white-space: pre-wrap; overflow-wrap: break-word; }
            .list .k { position: sticky; left: 0; z-index: 1; background: var(--page);
              padding: .3rem .2rem .3rem .8rem; }
            .list th.k { z-index: 3; background: var(--head); }
            .list .k a { padding: 0 .35rem; font-weight: 600; }
            .list tbody tr:hover td { background: var(--hover); }
            .list main p { margin: 1rem .9rem; }
            footer { padding: .5rem .9rem; display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; align-items: baseline; }
            footer nav { display: flex; gap: 1.1rem; margin-left: auto; }
            .row main { padding: 0 .9rem 1.5rem; max-width: 70rem; }
            .row table { border-collapse: collapse; width: 100%; }
            .row th, .row td { padding: .4rem .7rem .4rem 0; text-align: left; vertical-align: top;
              border-bottom: 1px solid var(--line); }
            .row th { font-weight: 600; width: 1%; max-width: 40vw; padding-right: 1.4rem; }
            .row th small { display: block; }
            .row td { white-space: pre-wrap; overflow-wrap: anywhere; }
            .row ul { margin: .2rem 0; padding-left: 1.2rem; }
            .tables main { padding: 0 .9rem 2rem; max-width: 80rem; }
            .tables section { display: grid; grid-template-columns: minmax(12rem, 1fr) minmax(12rem, 1fr) 2fr;
              gap: 0 1rem; padding: .45rem 0;
              border-bottom: 1px solid var(--line); }
            .tables h2 { margin: 0; font-size: 1em; overflow-wrap: break-word; min-width: 0; }
            .tables p { margin: 0; }
            .tables p a { margin-right: .6rem; }
            .tables details summary { color: var(--dim); }
            .tables td { padding: .1rem 1.2rem .1rem 0; vertical-align: top; }
            .tables td + td { color: var(--dim); }
            @media (max-width: 40rem) {
              body { font-size: 15px; }
              select, input, button { font-size: 16px; }
              .list td div { width: 17rem; }
              .tables section { grid-template-columns: 1fr; gap: .2rem; }
              footer nav { margin-left: 0; gap: 1.4rem; }
            }
            </style>
            </head>
            """;

    private PageFrame() {}

    /** Sets what a page's head says. */
    static void headers(Exchange exchange) {
        exchange.header("Vary", "Accept")
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer");
    }

    /**
     * Writes the beginning, with the element of the body open.
     *
     * @param kind the body's class
     */
    static void begin(String title, String kind, PageWriter out) throws IOException {
        out.write(
                """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>\
                """);
        out.writeEscaped(title);
        out.write(STYLE);
        out.write("<body class=\"" + kind + "\">\n");
    }

    static void end(PageWriter out) throws IOException {
        out.write("</body>\n</html>\n");
    }

    /** The last part of a path: what stands after its last slash. */
    static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
