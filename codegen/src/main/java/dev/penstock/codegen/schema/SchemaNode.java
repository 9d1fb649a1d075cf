package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.Words;
import dev.penstock.codegen.problem.CodegenException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.comments.CommentLine;
import org.snakeyaml.engine.v2.comments.CommentType;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A node of a schema file: a text, a list or a mapping. Its errors name the line and the column. Every scalar is text,
 * whatever YAML takes it for, so that a column may be called {@code no} or {@code null}.
 */
final class SchemaNode {
    /**
     * A member of a mapping.
     *
     * @param key its name, for errors and comments
     */
    record Member(SchemaNode key, SchemaNode value) {
        /** The comments above the member. */
        List<String> above() {
            return texts(key.node.getBlockComments());
        }

        /** The comments behind the member's name. */
        List<String> behindName() {
            return texts(key.node.getInLineComments());
        }

        /** The comments behind the member's name, behind its value and inside it. */
        List<String> behind() {
            List<String> behind = new ArrayList<>(behindName());
            behind.addAll(value.comments());
            return behind;
        }
    }

    private final Node node;
    private final String place;

    private SchemaNode(Node node, String place) {
        this.node = node;
        this.place = place;
    }

    /** Reads a text as YAML. */
    static SchemaNode of(String text, String place) {
        LoadSettings settings =
                LoadSettings.builder()
                        .setParseComments(true)
                        .setCodePointLimit(Integer.MAX_VALUE)
                        .build();
        try {
            return new Composer(
                            settings, new ParserImpl(settings, new StreamReader(settings, text)))
                    .getSingleNode()
                    .map(node -> new SchemaNode(node, place))
                    .orElseThrow(() ->
                            new CodegenException(
                                    place
                                            + " is empty: a schema file begins with "
                                            + SchemaText.FIRST_LINE));
        } catch (MarkedYamlEngineException e) {
            String where = e.getProblemMark().map(SchemaNode::position).orElse("");
            throw new CodegenException(
                    place
                            + where
                            + ": this is not YAML: "
                            + e.getProblem()
                            + ": check the indentation, brackets and quotes",
                    e);
        } catch (YamlEngineException e) {
            throw new CodegenException(
                    place
                            + " is not YAML: "
                            + String.valueOf(e.getMessage()).replace('\n', ' ')
                            + ": write invisible characters in double quotes, such as \"\\u0007\"",
                    e);
        } catch (StackOverflowError e) {
            throw new CodegenException(
                    place + " is no schema file: its lists and mappings are nested too deeply", e);
        }
    }

    private static String position(Mark mark) {
        return ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    }

    CodegenException error(String what) {
        return new CodegenException(
                place + node.getStartMark().map(SchemaNode::position).orElse("") + ": " + what);
    }

    /** A text; in double quotes it may have any characters. */
    String text(String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw error("expected " + what + ", found " + kind());
    }

    /** A text that is not empty. */
    String name(String what) {
        String name = text(what);
        if (name.isEmpty()) {
            throw error(what + " is empty");
        }
        return name;
    }

    /** A name in Java. */
    String javaName() {
        String name = text("a name in Java");
        if (!Words.isIdentifier(name)) {
            throw error("\"" + name + "\" can't be a name in Java: choose another");
        }
        return name;
    }

    /** A value that is true or false. */
    boolean flag(String what) {
        String value = text("true or false");
        if (!value.equals("true") && !value.equals("false")) {
            throw error(what + " is \"" + value + "\": choose true or false");
        }
        return value.equals("true");
    }

    boolean isText() {
        return node instanceof ScalarNode;
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** The elements of a list; a text alone is a list of one. */
    List<SchemaNode> elements(String what) {
        if (isText()) {
            return List.of(this);
        }
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue().stream().map(each -> new SchemaNode(each, place)).toList();
        }
        throw error("expected a list of " + what + ", found " + kind());
    }

    /**
     * The members of a mapping by their names, in the order of the file.
     *
     * @param what each of them is, for errors
     */
    Map<String, Member> members(String what) {
        Map<String, Member> members = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                SchemaNode key = new SchemaNode(tuple.getKeyNode(), place);
                String name = key.name("the name of " + what);
                SchemaNode value = new SchemaNode(tuple.getValueNode(), place);
                if (members.put(name, new Member(key, value)) != null) {
                    throw key.error(what + " " + name + " is there twice: remove one of them");
                }
            }
        } else if (!(node instanceof ScalarNode scalar && scalar.getValue().isEmpty())) {
            throw error(
                    "expected a mapping, with a name and a colon for each "
                            + what
                            + ", found "
                            + kind());
        }
        return members;
    }

    /** The members of a mapping, which has no others than these. */
    Map<String, Member> members(String what, Set<String> known) {
        Map<String, Member> members = members("member");
        members.forEach((name, member) -> {
            if (!known.contains(name)) {
                throw member.key.error(
                        what
                                + " has the unknown member \""
                                + name
                                + "\": choose one of "
                                + String.join(", ", new TreeSet<>(known)));
            }
        });
        return members;
    }

    /** The only member of a mapping, which may have any text as its name. */
    Member pair(String what) {
        if (node instanceof MappingNode mapping && mapping.getValue().size() == 1) {
            NodeTuple tuple = mapping.getValue().getFirst();
            return new Member(
                    new SchemaNode(tuple.getKeyNode(), place),
                    new SchemaNode(tuple.getValueNode(), place));
        }
        throw error("expected " + what + ", found " + kind());
    }

    private String kind() {
        return switch (node) {
            case ScalarNode scalar -> "\"" + scalar.getValue() + "\"";
            case SequenceNode _ -> "a list";
            default -> "a mapping";
        };
    }

    /** The comments above this element of a list. */
    List<String> above() {
        return texts(node.getBlockComments());
    }

    /** The comments behind this node and inside it, above an element of a list apart. */
    List<String> behind() {
        if (node.isRecursive()) {
            throw error("an alias refers to what it is part of: write out what it stands for");
        }
        List<String> behind = new ArrayList<>(texts(node.getInLineComments()));
        switch (node) {
            case MappingNode mapping ->
                    mapping.getValue()
                            .forEach(tuple -> {
                                behind.addAll(new SchemaNode(tuple.getKeyNode(), place).comments());
                                behind.addAll(
                                        new SchemaNode(tuple.getValueNode(), place).comments());
                            });
            case SequenceNode sequence ->
                    sequence.getValue()
                            .forEach(each -> behind.addAll(new SchemaNode(each, place).comments()));
            default -> {}
        }
        return behind;
    }

    private List<String> comments() {
        List<String> comments = new ArrayList<>(above());
        comments.addAll(behind());
        return comments;
    }

    /** The comments at the end of the file. */
    List<String> end() {
        return texts(node.getEndComments());
    }

    private static List<String> texts(@Nullable List<CommentLine> comments) {
        if (comments == null) {
            return List.of();
        }
        return comments.stream()
                .filter(comment -> comment.getCommentType() != CommentType.BLANK_LINE)
                .map(comment -> "#" + comment.getValue().stripTrailing())
                .toList();
    }
}
