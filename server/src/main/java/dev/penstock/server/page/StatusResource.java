package dev.penstock.server.page;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Locale;

/** Live facts at {@code /status}: heap, uptime, requests. */
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
        return String.format(
                Locale.ROOT,
                """
                {"heap":{"used":%d,"max":%d},"uptimeSeconds":%.1f,\
                "requests":{"running":%d,"waiting":%d},\
                "bulk":%s,"short":%s}
                """,
                heap.getUsed(),
                heap.getMax(),
                uptimeMillis / 1e3,
                bulk.runningNow() + shortRequests.runningNow(),
                bulk.waitingNow() + shortRequests.waitingNow(),
                json(bulk),
                json(shortRequests));
    }

    private static String json(Admission admission) {
        return String.format(
                Locale.ROOT,
                "{\"running\":%d,\"waiting\":%d,\"refused\":%d,\"mayRun\":%d,\"mayWait\":%d}",
                admission.runningNow(),
                admission.waitingNow(),
                admission.refused(),
                admission.running(),
                admission.waiting());
    }
}
