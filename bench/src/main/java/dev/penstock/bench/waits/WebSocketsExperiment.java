package dev.penstock.bench.waits;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.ResidentWatch;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.http.server.Server;
import dev.penstock.http.websocket.WebSocket;
import java.io.IOException;
import java.time.Duration;

/** The memory of WebSockets that are idle, with and without compression. */
public final class WebSocketsExperiment extends Experiment {
    private static final int SOCKETS = 10_000;
    private static final int WARM_SOCKETS = 500;
    private static final int CONNECTIONS = 11_000;
    private static final int ROUNDS = 3;
    private static final double MOST_RESIDENT = 200e6;
    private static final String MESSAGE =
            "{\"user\":\"somebody\",\"text\":\"hello to all\"},".repeat(8);

    /** The experiment. */
    public WebSocketsExperiment() {
        super("websockets", "10,000 idle WebSockets, compressed and not; about a minute");
    }

    /**
     * The figures of one kind of socket.
     *
     * @param right messages that came back as they were
     * @param idleHeap live bytes before the sockets
     * @param heap live bytes with them
     * @param idleResident bytes before them
     * @param resident bytes at the most
     */
    private record Seen(
            int sockets,
            long right,
            double idleHeap,
            double heap,
            double idleResident,
            double resident) {
        double heapEach() {
            return (heap - idleHeap) / sockets;
        }

        double residentEach() {
            return (resident - idleResident) / sockets;
        }
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        String heap = trial.heap("64m");
        trial.steps(2);
        Outcome outcome = new Outcome(name(), "Idle WebSockets, heap " + heap);
        outcome.text(
                """
                A server in a JVM of its own sends messages of %d bytes back. Each client opens a WebSocket, sends %d
                messages, and is idle; at the end each sends another. With compression, both sides compress each message
                for itself (permessage-deflate without context takeover).
                """
                        .formatted(MESSAGE.length(), ROUNDS));
        Outcome.Table table =
                outcome.table(
                        "Idle WebSockets",
                        "|sockets|right|live heap|heap a socket|resident at most|resident a socket");
        Seen compressed = measure(heap, true, trial);
        Seen plain = measure(heap, false, trial);
        row(table, "compressed", compressed);
        row(table, "not compressed", plain);
        judge(outcome, compressed, trial);
        return outcome;
    }

    private static int serve() {
        return Server.builder()
                .port(0)
                .accessLog(false)
                .maxConnections(CONNECTIONS)
                .get(
                        "/echo",
                        exchange ->
                                WebSocket.open(
                                        exchange,
                                        WebSocket.Options.DEFAULT.withPingEvery(
                                                Duration.ofHours(1)),
                                        new WebSocket.Listener() {
                                            @Override
                                            public void text(
                                                    WebSocket socket, String text, boolean last)
                                                    throws IOException {
                                                socket.send(text);
                                            }
                                        }))
                .start()
                .port();
    }

    private static Seen measure(String heap, boolean compressed, Trial trial) throws IOException {
        String label = compressed ? "compressed" : "not compressed";
        trial.doing(label);
        String log = compressed ? "websockets-compressed" : "websockets-plain";
        try (Child<Integer> child =
                Child.start(label, heap, trial.log(log), WebSocketsExperiment::serve)) {
            int port = child.call(started -> started);
            try (WebSocketClients warm = new WebSocketClients(port, compressed, MESSAGE)) {
                warm.open(trial.scaled(WARM_SOCKETS));
                for (int i = 0; i < trial.scaled(WARM_SOCKETS); i++) {
                    warm.echo();
                }
            }
            long idleHeap = child.idleHeapBytes();
            long idleResident = child.residentBytes();
            int sockets = trial.scaled(SOCKETS);
            long right = 0;
            try (WebSocketClients clients = new WebSocketClients(port, compressed, MESSAGE);
                    ResidentWatch resident = new ResidentWatch(child)) {
                clients.open(sockets);
                for (int i = 0; i < ROUNDS; i++) {
                    right += clients.echo();
                }
                long live = child.idleHeapBytes();
                right += clients.echo();
                long most = Math.max(resident.mostBytes(), child.residentBytes());
                trial.step();
                return new Seen(sockets, right, idleHeap, live, idleResident, most);
            }
        }
    }

    private static void row(Outcome.Table table, String label, Seen seen) {
        table.row(
                label,
                seen.sockets,
                seen.right,
                Figures.megabytes(seen.heap),
                Figures.bytes(seen.heapEach()),
                Figures.megabytes(seen.resident),
                Figures.bytes(seen.residentEach()));
    }

    private static void judge(Outcome outcome, Seen seen, Trial trial) {
        long all = (long) seen.sockets * (ROUNDS + 1);
        outcome.finding(
                "compressed: every message came back as it was, in a heap of " + trial.heap("64m"),
                seen.right + " of " + all,
                seen.right == all);
        outcome.atMost(
                "compressed: within 200 MB resident",
                seen.resident,
                MOST_RESIDENT,
                Figures::megabytes);
    }
}
