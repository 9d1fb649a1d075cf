package dev.penstock.documents.store.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.PieceInput;
import java.io.IOException;
import java.io.InputStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** The pieces of the documents that MongoDB can't hold as one. */
final class MongoParts {
    private final MongoCollection<BsonDocument> pieces;

    MongoParts(MongoCollection<BsonDocument> pieces) {
        this.pieces = pieces;
    }

    private static BsonDocument key(String id, long version, int number) {
        return new BsonDocument("id", new BsonString(id))
                .append("version", new BsonInt64(version))
                .append("number", new BsonInt32(number));
    }

    /** Writes the pieces of a version; gives how many they are. */
    int write(String id, long version, DocumentBuffer json) {
        int number = 0;
        try (InputStream in = json.open()) {
            for (byte[] piece = in.readNBytes(PieceInput.PIECE_BYTES);
                    piece.length > 0;
                    piece = in.readNBytes(PieceInput.PIECE_BYTES)) {
                pieces.insertOne(
                        new BsonDocument("_id", key(id, version, number++))
                                .append("of", new BsonString(id))
                                .append("version", new BsonInt64(version))
                                .append("piece", new BsonBinary(piece)));
            }
            return number;
        } catch (IOException e) {
            throw new DocumentException(
                    Kind.INPUT_OUTPUT, "the JSON of a document can't be read again", e);
        }
    }

    boolean any() {
        return pieces.find().projection(new BsonDocument("_id", new BsonInt32(1))).first() != null;
    }

    void delete(String id, long version) {
        pieces.deleteMany(of(id, Filters.eq("version", version)));
    }

    /** Deletes the pieces of all versions below one. */
    void deleteBelow(String id, long version) {
        pieces.deleteMany(of(id, Filters.lt("version", version)));
    }

    private static Bson of(String id, Bson version) {
        return Filters.and(Filters.eq("of", id), version);
    }

    /** Opens the JSON of a version, read piece by piece. */
    InputStream open(String id, long version, int count) {
        return new PieceInput(count) {
            @Override
            public byte[] piece(int number) throws IOException {
                BsonDocument row;
                try {
                    row = pieces.find(Filters.eq("_id", key(id, version, number))).first();
                } catch (MongoException e) {
                    throw new DocumentException(
                            Kind.STORE,
                            "MongoDB can't read the document " + id + ": " + e.getMessage(),
                            e);
                }
                if (row == null) {
                    throw gone(id);
                }
                return row.getBinary("piece").getData();
            }
        };
    }
}
