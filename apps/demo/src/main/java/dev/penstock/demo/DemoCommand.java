package dev.penstock.demo;

import dev.penstock.films.page.Films;
import dev.penstock.presidents.Presidents;
import dev.penstock.server.Application;
import dev.penstock.server.StartMessage;
import dev.penstock.server.config.ConcurrencyOptions;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.ServedSources;
import dev.penstock.server.config.UploadSettings;
import dev.penstock.server.log.ProgressBar;
import dev.penstock.server.page.DocumentsPage;
import dev.penstock.server.page.Example;
import dev.penstock.server.page.HomePage;
import dev.penstock.server.page.UploadsPage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock demo}: sample data in an embedded database, and a page of requests to try. */
@Command(
        name = "demo",
        description =
                "Starts a server on an embedded H2 with sample data, and prints what to open.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false)
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Where the sample data are kept (about 60 MB). Default: penstock/demo in the user's"
                            + " cache directory, or a temporary directory while another demo runs.")
    private @Nullable Path data;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "The tokens of those who may upload, and use /daytrader/config from other machines, one a line;"
                            + " without, uploads are left out where others than this machine reach the demo.")
    private @Nullable Path tokenFile;

    @Mixin private ListenOptions listen = new ListenOptions();
    @Mixin private ConcurrencyOptions load = new ConcurrencyOptions();

    private static final Example PRESIDENTS =
            new Example(
                    "The presidents",
                    "Picture, name, dates and summary, streamed row by row; its footer says"
                            + " when byte 1, row 1 and the end were there.",
                    "/presidents",
                    "");

    private static final Example FILMS =
            new Example(
                    "The film store",
                    "Typed streams over a thousand films: the Java, the SQL that it became, the answer and the"
                            + " time, in a browser.",
                    "/films",
                    "");

    private static final Example READINGS =
            new Example(
                    "Ten million rows",
                    "Two thirds of a gigabyte in one response, while the heap stays where it is. Stop it in"
                            + " the middle: its query ends too.",
                    "/api/reading?format=csv",
                    "-o readings.csv");

    private static final List<Example> EXAMPLES =
            List.of(
                    PRESIDENTS,
                    FILMS,
                    DemoTrader.EXAMPLE,
                    new Example(
                            "Waiting without a thread",
                            "Requests that wait, thousands at once: live, what that costs in threads and heap,"
                                    + " and how late the answers are.",
                            WaitsPage.PATH,
                            ""),
                    new Example(
                            "A service pool at work",
                            "Instances, their queue and their restarts, live: change the load, let one hang, and see"
                                    + " what takes its place.",
                            PoolsPage.PATH,
                            ""),
                    new Example(
                            "Wait a second",
                            "The answer comes after so many milliseconds; until then the request holds no thread.",
                            "/hi?wait=1000",
                            ""),
                    new Example(
                            "A process",
                            "A child process runs for so many seconds; what it writes is sent as it comes,"
                                    + " and it is ended when you leave.",
                            "/process?seconds=2",
                            "-N"),
                    new Example(
                            "989 presidents",
                            "The largest page, 10 MB, by another template engine, StringTemplate 4.",
                            "/presidents?rows=989&engine=st4",
                            "-N"),
                    READINGS,
                    new Example(
                            "Code for a database",
                            "A record with typed fields for each table of a database that you name, to look at or as a"
                                    + " project.",
                            "/generate",
                            ""),
                    new Example(
                            "A filter, an order, a limit",
                            "The three dearest spear valves that were ordered as a gift.",
                            "/api/line_item?select=id,product,quantity,price&product=eq.Spear%20valve"
                                    + "&gift=is.true&order=price.desc&limit=3",
                            ""),
                    new Example(
                            "A table as a web page",
                            "The rows to look around in: a hundred a page, sorted by a click, filtered,"
                                    + " and linked by their keys.",
                            "/api/line_item?format=html&order=price.desc",
                            ""),
                    new Example(
                            "A line for each row",
                            "NDJSON: each line is a JSON object, ready to be piped into the next program.",
                            "/api/late_item?format=ndjson&limit=1000",
                            "-N"),
                    new Example(
                            "Values at their edges",
                            "Every type: its least, its most, and NULL; exact numbers, ISO dates, base64.",
                            "/api/every_type?format=json",
                            ""),
                    new Example(
                            "Names that need care",
                            "A table called select, with a space, a quote, a dot and an umlaut in its columns.",
                            "/api/select?Gr%C3%B6%C3%9Fe=gte.1.7&select=order,%22with%20space%22,Gr%C3%B6%C3%9Fe",
                            ""),
                    new Example(
                            "A mistake",
                            "An unknown column is answered with 400, where it stands and what would be right.",
                            "/api/line_item?prise=gte.900",
                            "-i"));

    /** The position of the files among the examples. */
    private static final int AFTER_PAGES = 2;

    @Override
    public Integer call() {
        listen.begin();
        load.check();
        DemoTransfers transfers = DemoTransfers.of(listen, tokenFile);
        DemoDatabase.Opened opened = DemoDatabase.open(data, ProgressBar::onStandardError);
        JdbcTarget target = opened.target();
        ServedSources sources = transfers.sources(opened);
        try (DemoTrader trader = DemoTrader.open(opened.directory(), transfers::hasToken);
                WaitsPage waits = new WaitsPage();
                PoolsPage pools = new PoolsPage();
                Application application =
                        Application.start(
                                sources,
                                listen,
                                load,
                                content(sources),
                                (builder, bulk, shortRequests) -> {
                                    new Presidents(bulk.database())
                                            .mount(builder, bulk.admission());
                                    new Films(shortRequests.database())
                                            .mount(builder, shortRequests.admission());
                                    new GeneratorPage(target).mount(builder);
                                    waits.mount(builder);
                                    pools.mount(builder);
                                    trader.mount(builder);
                                })) {
            waits.watch(application::suspended);
            StartMessage.print(
                    "the demo's sample data",
                    listen,
                    application,
                    sources.uploads() == null
                            ? List.of(PRESIDENTS, FILMS, DemoTrader.EXAMPLE, READINGS)
                            : List.of(
                                    PRESIDENTS,
                                    FILMS,
                                    DemoTrader.EXAMPLE,
                                    READINGS,
                                    uploads(sources.uploads())));
            application.awaitStop();
        }
        return 0;
    }

    private static Example uploads(UploadSettings uploads) {
        return UploadsPage.example(uploads.tokens() != null);
    }

    private static HomePage.Content content(ServedSources sources) {
        List<Example> examples = new ArrayList<>(EXAMPLES);
        examples.add(AFTER_PAGES, UploadsPage.FILES);
        if (sources.uploads() != null) {
            examples.add(AFTER_PAGES, uploads(sources.uploads()));
        }
        if (sources.documents() != null) {
            examples.add(AFTER_PAGES, DocumentsPage.EXAMPLE);
        }
        return new HomePage.Content(
                "Penstock",
                "Big data through a small Java heap. This is the demo, on embedded sample data.",
                examples,
                "/api/reading?format=ndjson",
                "Stream 10 million rows into this tab");
    }
}
