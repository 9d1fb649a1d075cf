package dev.penstock.server.documents;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The search that a request asks for.
 *
 * @param xpath an expression; null for none
 * @param path a search by the store's own path; null for none
 * @param namespaces the URIs of the expression's prefixes
 * @param variables the strings that its variables stand for
 * @param documents whether the documents are asked for, and not the nodes in them
 * @param explain whether to explain instead of searching
 */
record DocumentQuery(
        @Nullable String xpath,
        @Nullable String path,
        Map<String, String> namespaces,
        Map<String, Object> variables,
        boolean documents,
        boolean explain) {
    private static final String NAMESPACE = "ns.";
    private static final String VARIABLE = "var.";

    static DocumentQuery of(Exchange exchange) {
        String xpath = null;
        String path = null;
        String give = "";
        boolean explain = false;
        Map<String, String> namespaces = new HashMap<>();
        Map<String, Object> variables = new HashMap<>();
        for (Exchange.Parameter each : exchange.parameters()) {
            String name = each.name();
            if (name.startsWith(NAMESPACE)) {
                namespaces.put(name.substring(NAMESPACE.length()), each.value());
            } else if (name.startsWith(VARIABLE)) {
                variables.put(name.substring(VARIABLE.length()), each.value());
            } else {
                switch (name) {
                    case "xpath" -> xpath = each.value();
                    case "path" -> path = each.value();
                    case "give" -> give = each.value();
                    case "explain" -> explain = each.value().equals("true");
                    default -> throw unknown(name);
                }
            }
        }
        check(xpath, path, give, explain);
        boolean documents = xpath == null || give.equals("documents");
        return new DocumentQuery(xpath, path, namespaces, variables, documents, explain);
    }

    private static void check(
            @Nullable String xpath, @Nullable String path, String give, boolean explain) {
        if (xpath != null && path != null) {
            throw new HttpException(400, "There are both xpath and path; search by one of them");
        }
        if (explain && xpath == null) {
            throw new HttpException(400, "explain=true is about an expression; give xpath too");
        }
        if (!give.isEmpty() && !give.equals("documents") && !give.equals("nodes")) {
            throw new HttpException(
                    400, "give=" + give + " is unknown; there are give=documents and give=nodes");
        }
    }

    private static HttpException unknown(String name) {
        return new HttpException(
                400,
                "The parameter "
                        + name
                        + " is unknown; there are xpath, ns.PREFIX, var.NAME, path, give and explain");
    }
}
