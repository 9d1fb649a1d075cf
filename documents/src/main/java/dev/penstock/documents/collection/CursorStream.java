package dev.penstock.documents.collection;

import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.StoredDocument;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A stream over a cursor, which its end closes. */
final class CursorStream {
    private CursorStream() {}

    static Stream<StoredDocument> of(DocumentCursor cursor) {
        var documents =
                new Spliterators.AbstractSpliterator<StoredDocument>(
                        Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
                    @Override
                    public boolean tryAdvance(Consumer<? super StoredDocument> action) {
                        StoredDocument next = cursor.next();
                        if (next == null) {
                            return false;
                        }
                        action.accept(next);
                        return true;
                    }
                };
        return StreamSupport.stream(documents, false).onClose(cursor::close);
    }
}
