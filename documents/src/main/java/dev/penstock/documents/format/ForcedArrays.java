package dev.penstock.documents.format;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The paths whose keys hold an array even if there is one value, as a tree of keys. */
final class ForcedArrays {
    private final Map<String, ForcedArrays> children = new HashMap<>();
    private boolean isForced;

    static ForcedArrays of(Set<String> paths) {
        ForcedArrays root = new ForcedArrays();
        for (String path : paths) {
            ForcedArrays at = root;
            for (String key : path.split("\\.", -1)) {
                at = at.children.computeIfAbsent(key, absent -> new ForcedArrays());
            }
            at.isForced = true;
        }
        return root;
    }

    boolean isForced() {
        return isForced;
    }

    boolean isEmpty() {
        return children.isEmpty();
    }

    @Nullable ForcedArrays child(String key) {
        return children.get(key);
    }
}
