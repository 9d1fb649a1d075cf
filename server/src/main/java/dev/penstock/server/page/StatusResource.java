package dev.penstock.server.page;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.text.JsonText;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

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
        JsonText json = new JsonText().object();
        json.object("heap")
                .member("used", heap.getUsed())
                .member("max", heap.getMax())
                .endObject()
                .member("uptimeSeconds", uptimeMillis / 1e3, 1)
                .object("requests")
                .member("running", sum(Admission::runningNow))
                .member("queued", sum(Admission::waitingNow))
                .endObject();
        admissions.forEach((kind, admission) -> add(json, kind, admission));
        return json.endObject() + "\n";
    }

    private int sum(ToIntFunction<Admission> number) {
        return admissions.values().stream().mapToInt(number).sum();
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
