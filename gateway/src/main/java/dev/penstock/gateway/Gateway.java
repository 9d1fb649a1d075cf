package dev.penstock.gateway;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.page.Catalogue;
import dev.penstock.gateway.page.FilterForm;
import dev.penstock.gateway.page.PageQuery;
import dev.penstock.gateway.page.PageTable;
import dev.penstock.gateway.page.TablePage;
import dev.penstock.gateway.problem.Problems;
import dev.penstock.gateway.problem.SchemaFailure;
import dev.penstock.gateway.request.FormReader;
import dev.penstock.gateway.request.Negotiation;
import dev.penstock.gateway.request.PlanGrammar;
import dev.penstock.gateway.request.Profile;
import dev.penstock.gateway.request.SchemaNames;
import dev.penstock.gateway.response.CountedCursor;
import dev.penstock.gateway.response.RowRange;
import dev.penstock.gateway.response.RowResponse;
import dev.penstock.gateway.response.RowTotal;
import dev.penstock.gateway.response.TableSizes;
import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The resources that serve every table and view of a database, or of another engine: {@code GET /api} lists them,
 * {@code GET /api/{table}} streams rows, with filters, order and formats as the URL says ({@code docs/urls.md}).
 * Thread-safe.
 *
 * <pre>{@code
 * Gateway gateway = Gateway.builder(Database.connect(dataSource)).build();
 * Server server = gateway.mount(Server.builder().port(8080)).start();
 * }</pre>
 *
 * <p>Memory: what a cursor and a response hold, for as many requests as the two admissions let run.
 */
public final class Gateway {
    /** Requests for more rows than this are bulk reads, and those without a limit where a table has more. */
    public static final long SHORT_ROWS = TableSizes.SHORT_ROWS;

    private final String path;
    private final Admission bulk;
    private final Admission shortRequests;
    private final Negotiation negotiation;
    private final BooleanSupplier refresh;
    private final InstantSource clock;
    private final Duration sizeLimit;

    /** Looked at once for each request. */
    private volatile Served served;

    private final RowTotal totals;
    private final FormReader forms = new FormReader();

    /** The tables that are served at one time, with their names there. */
    private record Served(
            Engine engine,
            Engine shortEngine,
            SchemaNames names,
            Catalogue catalogue,
            TableSizes sizes) {
        Plan plan(Exchange exchange, Table table) {
            return new PlanGrammar(names, table, engine.orderedBytes())
                    .plan(exchange.query(), exchange.parameters());
        }

        boolean isSmall(Table table) {
            try (PinnedEngine pinned = shortEngine.pinned()) {
                return sizes.isSmall(pinned.engine(), table);
            }
        }
    }

    private Gateway(Builder builder) {
        path = builder.path;
        bulk = builder.bulk;
        shortRequests = builder.shortRequests;
        refresh = builder.refresh;
        clock = builder.clock;
        sizeLimit = requireNonNullElse(builder.countLimit, TableSizes.LIMIT);
        totals =
                new RowTotal(
                        InstantSource.system(),
                        requireNonNullElse(builder.countLimit, RowTotal.LIMIT));
        negotiation = new Negotiation(RowFormat.all());
        served = served(builder.engine, builder.shortEngine);
    }

    private Served served(Engine engine, Engine shortEngine) {
        SchemaNames names = new SchemaNames(engine.schema(), path);
        Catalogue catalogue = new Catalogue(engine.schema(), names, path, negotiation.formats());
        TableSizes sizes = new TableSizes(clock, sizeLimit);
        return new Served(engine, shortEngine, names, catalogue, sizes);
    }

    /**
     * Has requests answered by other engines from now on, such as the same database with its schema read again.
     * Requests under way finish on those that there were.
     *
     * @param shortEngine for short requests, see {@link Builder#shortEngine}
     */
    public void serve(Engine engine, Engine shortEngine) {
        served = served(requireNonNull(engine), requireNonNull(shortEngine));
    }

    /**
     * A builder with its defaults: at {@code /api}; 4 bulk reads at once, 1,024 waiting for up to a minute; 6 short
     * requests at once, 4,096 waiting for up to 10 seconds.
     */
    public static Builder builder(Engine engine) {
        return new Builder(engine);
    }

    /** What is served. */
    public Engine engine() {
        return served.engine();
    }

    /** Adds the routes to a server, and members of PostgREST to its error responses. Returns the server's builder. */
    public ServerBuilder mount(ServerBuilder server) {
        return server.problemMembers(Problems::members)
                .get(path, this::list, exchange -> shortRequests)
                .get(path + "/", this::list, exchange -> shortRequests)
                .get(path + "/{table}", this::table, this::admission)
                .get(path + "/{table}/", this::table, this::admission)
                .route("POST", path + "/{table}", this::form, this::admission)
                .route("POST", path + "/{table}/", this::form, this::admission);
    }

    /**
     * Answers a request with the rows of a plan, in the format that the request asks for by {@code format=} or {@code
     * Accept}. To be called by a handler, once. Rows are streamed; if the client goes away, the query is cancelled.
     *
     * @throws dev.penstock.http.HttpException if there is no such format (406), or the query fails before the first
     *     byte
     * @throws IOException if the client has gone
     */
    public void respond(Exchange exchange, Plan plan) throws IOException {
        RowFormat format = negotiation.choose(exchange);
        Served now = served;
        RowResponse.write(
                exchange, format, () -> now.engine().open(plan), now.names().shown(plan.table()));
    }

    /**
     * The same without a gateway: {@code Gateway.respond(exchange, () -> database.open(plan))}.
     *
     * @param rows opens the cursor; it is closed here, on every path
     */
    public static void respond(Exchange exchange, Supplier<? extends Cursor> rows)
            throws IOException {
        requireNonNull(rows);
        RowFormat format = new Negotiation(RowFormat.all()).choose(exchange);
        RowResponse.write(exchange, format, rows, null);
    }

    private void list(Exchange exchange) throws IOException {
        served.catalogue().handle(exchange);
    }

    /** A query whose parameters are in the body, for those that are too long for a URL. */
    private void form(Exchange exchange) throws IOException {
        Profile.check(exchange, served.engine().schema());
        forms.answer(exchange, this::rows);
    }

    private void table(Exchange exchange) throws IOException {
        Profile.check(exchange, served.engine().schema());
        rows(exchange);
    }

    private void rows(Exchange exchange) throws IOException {
        Served now = served;
        try {
            rows(exchange, now);
        } catch (HttpException e) {
            throw SchemaFailure.is(e) ? outdated(exchange, now, e) : e;
        }
    }

    /** What is to be said of a query that failed, probably since the schema is not what it was when it was read. */
    private HttpException outdated(Exchange exchange, Served then, HttpException failure) {
        boolean isRead = refresh.getAsBoolean();
        Served now = served;
        if (isRead && now.equals(then)) {
            return failure;
        }
        // Says so, where the table or one of the columns is not there any more.
        Table table = now.names().table(exchange.pathParameter("table"));
        Plan _ = now.plan(exchange, table);
        return SchemaFailure.changed(failure);
    }

    private void rows(Exchange exchange, Served now) throws IOException {
        SchemaNames names = now.names();
        Table table = names.table(exchange.pathParameter("table"));
        PageQuery query = PageQuery.of(exchange.parameters());
        boolean page = isPage(exchange);
        if (page && FilterForm.isSent(query)) {
            FilterForm.redirect(exchange, query);
            return;
        }
        Plan plan = now.plan(exchange, table);
        boolean isBulk = isBulk(exchange);
        boolean isSmall = isBulk && now.isSmall(table);
        exchange.transferTo(isBulk && !isSmall ? bulk : shortRequests);
        // What is counted and the rows themselves are of one version, or both are the database's.
        Engine engine = isBulk && !isSmall ? now.engine() : now.shortEngine();
        try (PinnedEngine read = engine.pinned(plan)) {
            if (page) {
                page(exchange, table, plan, query, read.engine());
                return;
            }
            UnaryOperator<Cursor> sent =
                    rows ->
                            isSmall
                                    ? new CountedCursor(rows, () -> grown(exchange, now, table))
                                    : rows;
            new RowRange(exchange, read.engine(), negotiation, sent)
                    .respond(plan, names.shown(table));
        }
    }

    /** Has a request go on as a bulk read, since its table is not as small as it was. */
    private void grown(Exchange exchange, Served now, Table table) {
        now.sizes().isLarge(table);
        try {
            exchange.transferTo(bulk);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void page(Exchange exchange, Table table, Plan plan, PageQuery query, Engine read)
            throws IOException {
        List<Plan.Item> items =
                plan.output() instanceof Plan.Output.Columns(List<Plan.Item> selected)
                        ? selected
                        : List.of();
        boolean below = exchange.path().endsWith("/");
        PageTable shown = new PageTable(read.schema(), table, items, path, below);
        new TablePage(exchange, shown, query, plan, negotiation.formats()).respond(read, totals);
    }

    /** Returns whether a person is to see a page of the rows. */
    private boolean isPage(Exchange exchange) {
        return !RowRange.isAsked(exchange) && negotiation.isPage(exchange);
    }

    private boolean isBulk(Exchange exchange) {
        boolean firstPage = exchange.parameter("limit").isEmpty() && isPage(exchange);
        return !firstPage && BulkRequests.isBulk(exchange);
    }

    /** The admission of a request, by its head and what is remembered of its table; on an event loop. */
    private Admission admission(Exchange exchange) {
        Served now = served;
        boolean isLarge =
                isBulk(exchange)
                        && now.engine()
                                .schema()
                                .table(exchange.pathParameter("table"))
                                .filter(now.sizes()::isKnownLarge)
                                .isPresent();
        return isLarge ? bulk : shortRequests;
    }

    /** Settings of a gateway; see {@link Gateway#builder} for the defaults. */
    public static final class Builder {
        private final Engine engine;
        private Engine shortEngine;
        private String path = "/api";
        private Admission bulk = new Admission(4, 1024, Duration.ofMinutes(1));
        private BooleanSupplier refresh = () -> true;
        private InstantSource clock = InstantSource.system();
        private @Nullable Duration countLimit;
        private Admission shortRequests = new Admission(6, 4096, Duration.ofSeconds(10));

        private Builder(Engine engine) {
            this.engine = requireNonNull(engine);
            this.shortEngine = engine;
        }

        /** The path of the list; tables are below it. Starts with a slash and does not end with one. */
        public Builder path(String path) {
            if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
                throw new IllegalArgumentException(
                        "the gateway's path \"" + path + "\" is not of the form /name/name");
            }
            this.path = path;
            return this;
        }

        /**
         * How many requests without a limit, with one above {@value Gateway#SHORT_ROWS}, or for a count, run at once,
         * where the table has more than {@value Gateway#SHORT_ROWS} rows. Together with the short ones they should not
         * be more than the database's connections, and they take none of those that short ones need.
         */
        public Builder bulk(Admission admission) {
            this.bulk = requireNonNull(admission);
            return this;
        }

        /** How many other requests run at once. */
        public Builder shortRequests(Admission admission) {
            this.shortRequests = requireNonNull(admission);
            return this;
        }

        /**
         * The same tables over connections that only short requests use ({@link dev.penstock.query.sql.Database#over}).
         * Without it they share those of the bulk reads, and queue behind them for as long as a pool still opens its
         * connections.
         */
        public Builder shortEngine(Engine engine) {
            this.shortEngine = requireNonNull(engine);
            return this;
        }

        /**
         * What reads the schema again and calls {@link Gateway#serve}, when a query failed in a way that a change of
         * the schema explains. It runs on the request's thread, and several may run it at once.
         *
         * @param refresh gives false where it did not look, since it has done so just before
         */
        public Builder onSchemaFailure(BooleanSupplier refresh) {
            this.refresh = requireNonNull(refresh);
            return this;
        }

        /** The clock by which the sizes of tables are forgotten; for tests. */
        Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** The longest time for which rows are counted, for totals and for sizes of tables; for tests. */
        Builder countLimit(Duration limit) {
            this.countLimit = limit;
            return this;
        }

        /** The gateway. Formats that services bring are looked up now. */
        public Gateway build() {
            return new Gateway(this);
        }
    }
}
