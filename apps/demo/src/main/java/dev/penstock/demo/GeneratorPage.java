package dev.penstock.demo;

import dev.penstock.codegen.Generator;
import dev.penstock.codegen.Project;
import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.Resource;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.ConnectionProbe;
import dev.penstock.server.page.LocalOnly;
import dev.penstock.server.page.PagePolicy;
import dev.penstock.server.page.PageText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The page at {@code /generate}: the code for a database, to look at or as a project to download. It connects to the
 * database that the form names, so it answers this machine alone, and no page of another site.
 */
final class GeneratorPage {
    private static final int MAX_FILES = 200;
    private final JdbcTarget demo;

    /** Forms that are sent slowly hold up other forms alone. */
    private final Admission forms = new Admission(4, 64, Duration.ofSeconds(20));

    private final String page =
            DemoPage.of(
                    "generate",
                    "Code for a database",
                    "A record with typed fields for each table, so that <code>java.util.stream</code> pipelines over"
                            + " it run as SQL.",
                    "/generate.css");

    /** Makes a page that offers the demo's database beside others. */
    GeneratorPage(JdbcTarget demo) {
        this.demo = demo;
    }

    void mount(ServerBuilder builder) {
        builder.get("/generate", this::form)
                .get("/generate.css", Resource.of(GeneratorPage.class, "generate.css"))
                .route("POST", "/generate", local(this::show), _ -> forms)
                .route("POST", "/generate/project", local(this::download), _ -> forms);
    }

    private void form(Exchange exchange) {
        respond(exchange, 200, GeneratorForm.empty(), "", "");
    }

    private static Handler local(Handler handler) {
        return LocalOnly.of("page connects to databases", ", or use ./penstock generate", handler);
    }

    private JdbcTarget target(GeneratorForm form) {
        return form.ofDemo() ? demo : form.target();
    }

    private SchemaFile schema(GeneratorForm form) {
        ConnectionProbe probe = ConnectionProbe.of(target(form), form.schemaOrNull());
        return SchemaFile.of(probe.source(), form.schemaOrNull());
    }

    private void show(Exchange exchange) throws IOException {
        GeneratorForm form = GeneratorForm.read(exchange);
        try {
            SchemaFile schema = schema(form);
            SortedMap<String, String> files = new Generator(schema, form.packageName()).files();
            respond(exchange, 200, form, "", listed(schema, files));
        } catch (StartupException | CodegenException e) {
            refuse(exchange, form, e);
        }
    }

    private void download(Exchange exchange) throws IOException {
        GeneratorForm form = GeneratorForm.read(exchange);
        Map<String, byte[]> files;
        try {
            Generator generator = new Generator(schema(form), form.packageName());
            JdbcTarget target = target(form);
            Project.Connection connection =
                    new Project.Connection(
                            target.urlWithoutPassword(), target.user(), form.schemaOrNull());
            files = new LinkedHashMap<>(new Project(generator, connection).files());
            String folder = "src/main/java/" + form.packageName().replace('.', '/') + "/";
            generator
                    .files()
                    .forEach((name, text) ->
                            files.put(folder + name, text.getBytes(StandardCharsets.UTF_8)));
        } catch (StartupException | CodegenException e) {
            refuse(exchange, form, e);
            return;
        }
        String name = form.packageName().substring(form.packageName().lastIndexOf('.') + 1);
        String ascii = name.replaceAll("[^A-Za-z0-9_]", "_");
        exchange.header("Content-Disposition", "attachment; filename=\"" + ascii + ".zip\"")
                .header("Cache-Control", "no-store");
        zip(exchange, ascii, files);
    }

    private static void zip(Exchange exchange, String name, Map<String, byte[]> files)
            throws IOException {
        try (OutputStream body = Channels.newOutputStream(exchange.body("application/zip"));
                ZipOutputStream zip = new ZipOutputStream(body)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(name + "/" + file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
    }

    private static String listed(SchemaFile schema, SortedMap<String, String> files) {
        StringBuilder html = new StringBuilder();
        long lines = files.values().stream().mapToLong(text -> text.lines().count()).sum();
        html.append("<section aria-labelledby=\"files\">\n<h2 id=\"files\">")
                .append(files.size())
                .append(files.size() == 1 ? " file, " : " files, ")
                .append(lines)
                .append(" lines</h2>\n");
        if (files.size() > MAX_FILES) {
            html.append("<p>The first ").append(MAX_FILES).append(" are shown.</p>\n");
        }
        files.entrySet().stream()
                .limit(MAX_FILES)
                .forEach(file -> details(html, file.getKey(), file.getValue()));
        schema.leftOut()
                .forEach(what ->
                        html.append("<p>Left out: ")
                                .append(PageText.escape(what))
                                .append(".</p>\n"));
        html.append("</section>\n<section aria-labelledby=\"schema-file\">\n")
                .append("<h2 id=\"schema-file\">The schema file that they come from</h2>\n")
                .append(
                        "<p>To rename, to leave out and to map: edit it, and generate from it.</p>\n");
        details(html, "penstock.schema", schema.text());
        return html.append("</section>\n").toString();
    }

    private static void details(StringBuilder html, String name, String text) {
        html.append("<details><summary><code>")
                .append(PageText.escape(name))
                .append("</code>, ")
                .append(text.lines().count())
                .append(" lines</summary><pre>")
                .append(PageText.escape(text))
                .append("</pre></details>\n");
    }

    private void refuse(Exchange exchange, GeneratorForm form, RuntimeException failure) {
        String error =
                "<section class=\"panel error\" role=\"alert\"><p>"
                        + PageText.escape(String.valueOf(failure.getMessage()))
                        + "</p></section>";
        respond(exchange, 400, form, error, "");
    }

    private void respond(
            Exchange exchange, int status, GeneratorForm form, String error, String files) {
        // What the user wrote is escaped, braces too, so that none of it is taken for a marker.
        String html =
                page.replace("{{demo}}", form.ofDemo() ? " checked" : "")
                        .replace("{{url-chosen}}", form.ofDemo() ? "" : " checked")
                        .replace(
                                "{{jdbc}}", PageText.escape(JdbcTarget.withoutSecrets(form.jdbc())))
                        .replace("{{user}}", PageText.escape(form.user()))
                        .replace("{{schema}}", PageText.escape(form.schema()))
                        .replace("{{package}}", PageText.escape(form.packageName()))
                        .replace("{{error}}", error)
                        .replace("{{files}}", files);
        PagePolicy.FORM.send(exchange, status, "no-store", html);
    }
}
