package dev.penstock.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/** The headers of a request. */
interface RequestFields {
    /** The values of all headers of a name, ignoring case, in order. */
    List<String> all(String name);

    /** The same, in as few bytes as there can be. */
    PackedFields packed();

    /** As they came. */
    record Received(HttpHeaders headers) implements RequestFields {
        @Override
        public List<String> all(String name) {
            return headers.getAll(name);
        }

        @Override
        public PackedFields packed() {
            PackedFields.Packer packer = new PackedFields.Packer();
            headers.forEach(header -> packer.add(header.getKey(), header.getValue()));
            return packer.pack();
        }
    }
}
