package dev.penstock.server.page;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.text.JsonText;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON document at {@code /status}: heap, uptime, requests. */
public final class StatusResource {
    private final Map<String, Admission> admissions;

    /**
     * @param admissions by the kind of their requests, in the order in which they are shown
     */
    public StatusResource(Map<String, Admission> admissions) {
        this.admissions = Collections.unmodifiableMap(new LinkedHashMap<>(admissions));
    }

    public void respond(Exchange exchange) {
        exchange.header("Cache-Control", "no-store").respond(200, "application/json", json());
    }

    private String json() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long uptimeMillis = ManagementFactory.getRuntimeMXBean().getUptime();
        // Each number is read once, so that the sums are those of what stands beside them.
        List<Kind> kinds =
                admissions.entrySet().stream()
                        .map(each -> Kind.of(each.getKey(), each.getValue()))
                        .toList();
        JsonText json = new JsonText().object();
        json.object("heap")
                .member("used", heap.getUsed())
                .member("max", heap.getMax())
                .endObject()
                .member("uptimeSeconds", uptimeMillis / 1e3, 1)
                .object("requests")
                .member("running", kinds.stream().mapToInt(Kind::running).sum())
                .member("queued", kinds.stream().mapToInt(Kind::queued).sum())
                .endObject();
        kinds.forEach(kind -> kind.add(json));
        return json.endObject() + "\n";
    }

    /** The requests of a kind. */
    private record Kind(
            String name, int running, int queued, long rejected, int permits, int queueLimit) {
        static Kind of(String name, Admission admission) {
            return new Kind(
                    name,
                    admission.runningNow(),
                    admission.waitingNow(),
                    admission.refused(),
                    admission.permits(),
                    admission.queueLimit());
        }

        void add(JsonText json) {
            json.object(name)
                    .member("running", running)
                    .member("queued", queued)
                    .member("rejected", rejected)
                    .member("permits", permits)
                    .member("queueLimit", queueLimit)
                    .endObject();
        }
    }
}
