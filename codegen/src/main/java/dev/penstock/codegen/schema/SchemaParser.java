package dev.penstock.codegen.schema;

import static java.util.Objects.requireNonNull;

import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.codegen.schema.SchemaNode.Member;
import dev.penstock.query.ColumnType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A parser of schema files, whose errors name the line and the column. Used once. */
public final class SchemaParser {
    private static final Pattern TYPE_NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

    /** The beginning of a file of format 1, which had a language of its own. */
    private static final Pattern FORMAT_1 =
            Pattern.compile("(?:\\h*+(?:#.*+)?+\\R)*+penstock-schema 1\\b");

    private static final Set<String> TABLE_MEMBERS =
            Set.of(
                    "as",
                    "columns",
                    "comment",
                    "exclude",
                    "implements",
                    "key",
                    "references",
                    "view");
    private static final Set<String> COLUMN_MEMBERS =
            Set.of(
                    "as",
                    "comment",
                    "enum",
                    "exclude",
                    "generated",
                    "java",
                    "nullable",
                    "sql",
                    "type");

    private final String text;
    private final String place;
    private final Map<String, Labels> labels = new LinkedHashMap<>();
    private final Map<String, TableModel> tables = new LinkedHashMap<>();
    private final Map<Reference, SchemaNode> referenceNodes = new HashMap<>();
    private final Comments.Builder comments = new Comments.Builder();

    public SchemaParser(String text, String place) {
        // Some editors begin a file with an invisible mark.
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        this.place = place;
    }

    public SchemaModel parse() {
        if (FORMAT_1.matcher(text).lookingAt()) {
            throw new CodegenException(
                    place
                            + " has format 1, the language before YAML: move it away, write a new one of the database"
                            + " by \"penstock schema\", and make your choices in it again");
        }
        SchemaNode root = SchemaNode.of(text, place);
        Map<String, Member> members = root.isMapping() ? root.members("member") : Map.of();
        Member version = members.get(SchemaText.FORMAT);
        if (version == null) {
            throw root.error(
                    "this is no schema file: it would begin with " + SchemaText.FIRST_LINE);
        }
        String format = version.value().text("the version of the format");
        if (!format.equals(SchemaText.VERSION)) {
            throw version.value()
                    .error(
                            "format "
                                    + format
                                    + " is not known: this Penstock reads format "
                                    + SchemaText.VERSION
                                    + "; use a newer one");
        }
        root.members("the file", Set.of(SchemaText.FORMAT, "enums", "tables"));
        comments.put(Comments.START, version);
        section(members, "enums", "enum", this::sharedEnum);
        section(members, "tables", "table", this::table);
        comments.put(Comments.END, root.end(), List.of());
        checkReferences();
        return new SchemaModel(
                List.copyOf(labels.values()),
                List.copyOf(tables.values()),
                comments.build(),
                List.of());
    }

    /** Reads one member of a section. */
    private interface MemberReader {
        void read(String name, Member member);
    }

    private void section(Map<String, Member> file, String name, String what, MemberReader reader) {
        Member section = file.get(name);
        if (section != null) {
            comments.putHead(Comments.place(name), section);
            section.value().members(what).forEach(reader::read);
        }
    }

    private void sharedEnum(String name, Member member) {
        Labels read = labels(name, member.value(), "enum " + name);
        labels.put(name, read);
        comments.put(Comments.place(read), member);
    }

    /** Reads an enum: the list of its labels, or a mapping with its name. */
    private static Labels labels(String databaseName, SchemaNode node, String what) {
        if (node.isList()) {
            return new Labels(databaseName, "", constants(node));
        }
        Map<String, Member> members = node.members(what, Set.of("as", "labels"));
        Member list = members.get("labels");
        if (list == null) {
            throw node.error(what + " has no labels: write them like labels: [A, B]");
        }
        return new Labels(databaseName, javaName(members, "as"), constants(list.value()));
    }

    /** Reads labels: each a text, or a mapping of the text to its name. */
    private static List<Labels.Constant> constants(SchemaNode list) {
        List<Labels.Constant> constants = new ArrayList<>();
        Set<String> texts = new HashSet<>();
        for (SchemaNode each : list.elements("labels")) {
            String text;
            String name = "";
            if (each.isMapping()) {
                Member pair = each.pair("one label with its name, such as PG-13: PG13");
                text = pair.key().text("a label");
                name = pair.value().javaName();
            } else {
                text = each.text("a label");
            }
            if (!texts.add(text)) {
                throw each.error("the label \"" + text + "\" is there twice: remove one of them");
            }
            constants.add(new Labels.Constant(text, name));
        }
        return constants;
    }

    private static String javaName(Map<String, Member> members, String member) {
        Member name = members.get(member);
        return name == null ? "" : name.value().javaName();
    }

    private static String text(Map<String, Member> members, String member, String otherwise) {
        Member text = members.get(member);
        return text == null ? otherwise : text.value().text("the " + member);
    }

    private static boolean flag(Map<String, Member> members, String member, boolean otherwise) {
        Member flag = members.get(member);
        return flag == null ? otherwise : flag.value().flag(member);
    }

    private static List<String> names(@Nullable Member member, String what) {
        return member == null
                ? List.of()
                : member.value().elements(what).stream().map(node -> node.text(what)).toList();
    }

    private void table(String name, Member member) {
        SchemaNode node = member.value();
        Map<String, Member> members = node.members("table " + name, TABLE_MEMBERS);
        comments.putHead(Comments.place("tables", name), member);
        TableModel head =
                new TableModel(
                        name,
                        flag(members, "view", false),
                        flag(members, "exclude", false),
                        javaName(members, "as"),
                        interfaces(members.get("implements")),
                        columns(name, member.key(), members.get("columns")),
                        List.of(),
                        List.of(),
                        text(members, "comment", ""));
        members.forEach((each, value) -> {
            if (each.equals("columns") || each.equals("references")) {
                comments.putHead(Comments.place("tables", name, each), value);
            } else {
                comments.put(Comments.place("tables", name, each), value);
            }
        });
        TableModel keyed = head.withKey(key(head, members.get("key")));
        tables.put(name, keyed.withReferences(references(keyed, members.get("references"))));
    }

    private static List<String> interfaces(@Nullable Member member) {
        if (member == null) {
            return List.of();
        }
        List<String> interfaces = new ArrayList<>();
        for (SchemaNode each : member.value().elements("interfaces")) {
            String type = each.text("the name of an interface");
            if (!TYPE_NAME.matcher(type).matches()) {
                throw each.error("\"" + type + "\" can't be the name of an interface");
            }
            interfaces.add(type);
        }
        return interfaces;
    }

    private static List<String> key(TableModel table, @Nullable Member member) {
        List<String> key = names(member, "columns");
        if (member != null) {
            requireColumns(table, member.value(), key);
            if (new HashSet<>(key).size() < key.size()) {
                throw member.value()
                        .error("the key of table " + table.name() + " has a column twice");
            }
        }
        return key;
    }

    private static void requireColumns(TableModel table, SchemaNode node, List<String> names) {
        for (String name : names) {
            if (table.column(name).isEmpty()) {
                throw node.error(
                        "table "
                                + table.name()
                                + " has no column \""
                                + name
                                + "\": correct the name");
            }
        }
    }

    private List<Reference> references(TableModel table, @Nullable Member member) {
        List<Reference> references = new ArrayList<>();
        for (SchemaNode node :
                member == null ? List.<SchemaNode>of() : member.value().elements("references")) {
            Reference reference = reference(table, node);
            if (references.stream().anyMatch(reference::isSame)) {
                throw node.error("the same reference is there twice: remove one");
            }
            references.add(reference);
            referenceNodes.put(reference, node);
            comments.put(Comments.place(table, reference), node.above(), node.behind());
        }
        return references;
    }

    private static Reference reference(TableModel table, SchemaNode node) {
        Map<String, Member> members =
                node.members(
                        "a reference of table " + table.name(),
                        Set.of("columns", "table", "to", "as", "others"));
        for (String needed : List.of("columns", "table", "to")) {
            if (!members.containsKey(needed)) {
                throw node.error(
                        "a reference of table "
                                + table.name()
                                + " has no \""
                                + needed
                                + "\": write it like {columns: [city_id], table: city, to: [city_id]}");
            }
        }
        List<String> from = names(members.get("columns"), "columns");
        requireColumns(table, node, from);
        List<String> to = names(members.get("to"), "columns");
        if (from.size() != to.size()) {
            throw node.error(
                    "a reference of "
                            + from.size()
                            + " columns goes to "
                            + to.size()
                            + ": give as many");
        }
        return new Reference(
                from,
                text(members, "table", ""),
                to,
                javaName(members, "as"),
                javaName(members, "others"));
    }

    private void checkReferences() {
        for (TableModel from : tables.values()) {
            for (Reference reference : from.references()) {
                SchemaNode node = requireNonNull(referenceNodes.get(reference));
                TableModel target = tables.get(reference.table());
                if (target == null) {
                    throw node.error(
                            "there is no table \""
                                    + reference.table()
                                    + "\" to refer to: correct the name, or remove the reference");
                }
                requireColumns(target, node, reference.targets());
                if (!from.canRefer(reference, target)) {
                    throw node.error(
                            "table "
                                    + from.name()
                                    + " can't refer by "
                                    + types(from, reference.columns())
                                    + " to "
                                    + types(target, reference.targets())
                                    + ": correct the names, or map the columns alike");
                }
            }
        }
    }

    private static String types(TableModel table, List<String> names) {
        return names.stream()
                .flatMap(name -> table.column(name).stream())
                .map(c -> table.name() + "." + c.name() + " (" + c.javaType().text + ")")
                .collect(Collectors.joining(", "));
    }

    private List<ColumnModel> columns(String table, SchemaNode key, @Nullable Member member) {
        List<ColumnModel> columns = new ArrayList<>();
        if (member != null) {
            member.value()
                    .members("column")
                    .forEach((name, each) -> {
                        columns.add(column(table + "." + name, name, each.value()));
                        comments.put(Comments.place("tables", table, "columns", name), each);
                    });
        }
        if (columns.isEmpty()) {
            throw key.error("table " + table + " has no columns: add some, or remove it");
        }
        return columns;
    }

    private ColumnModel column(String where, String name, SchemaNode node) {
        Map<String, Member> members = node.members("column " + where, COLUMN_MEMBERS);
        Member typeMember = members.get("type");
        if (typeMember == null) {
            throw node.error("column " + where + " has no type: write one like type: int");
        }
        ColumnType type = type(typeMember.value(), where);
        String databaseType = text(members, "sql", SchemaText.name(type));
        ColumnModel column =
                new ColumnModel(
                        name,
                        type,
                        databaseType,
                        flag(members, "nullable", true),
                        flag(members, "generated", false),
                        flag(members, "exclude", false),
                        javaName(members, "as"),
                        "",
                        JavaType.of(type, databaseType),
                        null,
                        text(members, "comment", ""));
        Member java = members.get("java");
        Member labels = members.get("enum");
        if (java != null && labels != null) {
            throw java.key()
                    .error(
                            "column "
                                    + where
                                    + " has both \"java\" and \"enum\": remove one of them");
        }
        if (java != null) {
            return column.withTarget(target(java.value(), column, where), null);
        }
        return labels == null ? column : withEnum(labels.value(), column, where);
    }

    private static ColumnType type(SchemaNode node, String where) {
        String word = node.text("the type of column " + where);
        for (ColumnType type : ColumnType.values()) {
            if (SchemaText.name(type).equals(word)) {
                return type;
            }
        }
        throw node.error(
                "column "
                        + where
                        + " has the unknown type \""
                        + word
                        + "\": choose one of "
                        + Arrays.stream(ColumnType.values())
                                .map(SchemaText::name)
                                .collect(Collectors.joining(", ")));
    }

    private static JavaType target(SchemaNode node, ColumnModel column, String where) {
        String word = node.text("a type of Java");
        return JavaType.named(word)
                .filter(type -> type != JavaType.ENUM && type.fits(column.type()))
                .orElseThrow(() -> misfit(node, column, where, word));
    }

    private static CodegenException misfit(
            SchemaNode node, ColumnModel column, String where, String word) {
        return node.error(
                "column "
                        + where
                        + ", of type "
                        + SchemaText.name(column.type())
                        + ", can't be mapped to \""
                        + word
                        + "\": choose one of "
                        + JavaType.choices(column.type()));
    }

    private ColumnModel withEnum(SchemaNode node, ColumnModel column, String where) {
        if (!JavaType.ENUM.fits(column.type())) {
            throw misfit(node, column, where, "enum");
        }
        if (!node.isText()) {
            return column.withTarget(
                    JavaType.ENUM, labels("", node, "the enum of column " + where));
        }
        String name = node.text("the name of an enum");
        Labels declared = labels.get(name);
        if (declared == null) {
            throw node.error(
                    "column "
                            + where
                            + " is mapped to the enum "
                            + name
                            + ", which is not declared: add a line like \""
                            + name
                            + ": [A, B]\" to the enums");
        }
        return column.withTarget(JavaType.ENUM, declared);
    }
}
