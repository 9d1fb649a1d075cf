package dev.penstock.documents.store.mongo;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.JsonText;
import dev.penstock.documents.store.ValueScan;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.bson.BsonBinaryWriter;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.RawBsonDocument;
import org.bson.io.BasicOutputBuffer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** JSON as BSON and back: objects, arrays, strings and nulls, whatever their keys are. */
final class BsonText {
    private BsonText() {}

    /** Encodes JSON, which is closed. */
    static RawBsonDocument encode(InputStream json) {
        var buffer = new BasicOutputBuffer();
        try (json;
                JsonParser parser =
                        ValueScan.FACTORY.createParser(ObjectReadContext.empty(), json);
                var writer = new BsonBinaryWriter(buffer)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                write(parser, token, writer);
            }
            writer.flush();
            return new RawBsonDocument(buffer.toByteArray());
        } catch (JacksonException | IOException e) {
            throw new DocumentException(
                    Kind.JSON, "the JSON of a document can't be read: " + e.getMessage(), e);
        }
    }

    private static void write(JsonParser parser, JsonToken token, BsonBinaryWriter writer) {
        switch (token) {
            case START_OBJECT -> writer.writeStartDocument();
            case END_OBJECT -> writer.writeEndDocument();
            case START_ARRAY -> writer.writeStartArray();
            case END_ARRAY -> writer.writeEndArray();
            case PROPERTY_NAME -> writer.writeName(parser.currentName());
            case VALUE_STRING -> writer.writeString(parser.getString());
            case VALUE_NULL -> writer.writeNull();
            default ->
                    throw new DocumentException(
                            Kind.STORE,
                            "MongoDB may give back numbers and booleans in another spelling;"
                                    + " convert the document without typed values");
        }
    }

    /** Decodes a document whose reader stands at its beginning. */
    static String decode(BsonReader reader) {
        var json = new StringBuilder();
        Deque<String> separators = new ArrayDeque<>();
        reader.readStartDocument();
        json.append('{');
        separators.push("");
        while (!separators.isEmpty()) {
            BsonType type = reader.readBsonType();
            boolean array = separators.getFirst().startsWith("[");
            if (type == BsonType.END_OF_DOCUMENT) {
                separators.pop();
                end(reader, json, array);
                continue;
            }
            json.append(separators.pop().endsWith(",") ? "," : "");
            separators.push(array ? "[," : ",");
            if (!array) {
                json.append(JsonText.quoted(reader.readName())).append(':');
            }
            value(reader, type, json, separators);
        }
        return json.toString();
    }

    private static void end(BsonReader reader, StringBuilder json, boolean array) {
        if (array) {
            reader.readEndArray();
        } else {
            reader.readEndDocument();
        }
        json.append(array ? ']' : '}');
    }

    private static void value(
            BsonReader reader, BsonType type, StringBuilder json, Deque<String> separators) {
        if (type == BsonType.DOCUMENT) {
            reader.readStartDocument();
            json.append('{');
            separators.push("");
        } else if (type == BsonType.ARRAY) {
            reader.readStartArray();
            json.append('[');
            separators.push("[");
        } else if (type == BsonType.STRING) {
            json.append(JsonText.quoted(reader.readString()));
        } else if (type == BsonType.NULL) {
            reader.readNull();
            json.append("null");
        } else {
            throw new DocumentException(
                    Kind.STORE,
                    "a document in MongoDB holds a value of type "
                            + type
                            + ", which no document of the format has; write it again");
        }
    }
}
