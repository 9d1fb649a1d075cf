package com.example.shop;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.Admission;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.sql.Database;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Page 5 of the guide: limits, figures and stopping of a server in your own program. */
public final class RunningIt {
    private RunningIt() {}

    // region main
    public static void main(String[] arguments) {
        Database database = Database.connect(Shop.source(Shop.URL));
        Server server = configured(RowsOverHttp.wholeSchema(database)).port(8080).start();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::close));
    }

    static ServerBuilder configured(ServerBuilder server) {
        LongAdder bytes = new LongAdder();
        return server.admission(new Admission(64, 1_000, Duration.ofSeconds(30)))
                .maxBody(1 << 20) // bytes of a request
                .maxConnections(2_000)
                .clientConnections(200) // of one address
                .proxies(List.of("10.0.0.0/8")) // whose X-Forwarded-For is believed
                .minimumRate(1024, Duration.ofSeconds(30)) // bytes a second; slower clients are cut
                .stopWithin(Duration.ofSeconds(20)) // how long close() lets responses finish
                .accessLog(AccessLogFormat.JSON)
                .onFinished(request -> bytes.add(request.bytesSent()))
                .get("/bytes", exchange -> exchange.respond(200, "text/plain", bytes + "\n"));
    }
    // end
}
