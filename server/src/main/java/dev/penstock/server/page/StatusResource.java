package dev.penstock.server.page;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.text.JsonText;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/** The JSON document at {@code /status}: heap, uptime, requests. */
public final class StatusResource {
    private final Admission bulk;
    private final Admission shortRequests;

    public StatusResource(Admission bulk, Admission shortRequests) {
        this.bulk = bulk;
        this.shortRequests = shortRequests;
    }

    public void respond(Exchange exchange) {
        exchange.header("Cache-Control", "no-store").respond(200, "application/json", json());
    }

    private String json() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long uptimeMillis = ManagementFactory.getRuntimeMXBean().getUptime();
        JsonText json = new JsonText().object();
        json.object("heap")
                .member("used", heap.getUsed())
                .member("max", heap.getMax())
                .endObject()
                .member("uptimeSeconds", uptimeMillis / 1e3, 1)
                .object("requests")
                .member("running", bulk.runningNow() + shortRequests.runningNow())
                .member("queued", bulk.waitingNow() + shortRequests.waitingNow())
                .endObject();
        add(json, "bulk", bulk);
        add(json, "short", shortRequests);
        return json.endObject() + "\n";
    }

    private static void add(JsonText json, String kind, Admission admission) {
        json.object(kind)
                .member("running", admission.runningNow())
                .member("queued", admission.waitingNow())
                .member("rejected", admission.refused())
                .member("permits", admission.permits())
                .member("queueLimit", admission.queueLimit())
                .endObject();
    }
}
