package dev.penstock.documents.collection;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.store.StoreFilter;
import java.util.List;

/**
 * A search in the words of the store: {@code person.hobbies.hobby = tv}, or a path alone.
 *
 * @param keys the keys as they are stored, from the root element on
 * @param filter the condition
 */
record StorePath(List<String> keys, StoreFilter filter) {
    static StorePath parse(String search) {
        int equal = search.indexOf('=');
        List<String> keys = keys(equal < 0 ? search : search.substring(0, equal));
        return new StorePath(
                keys,
                equal < 0
                        ? new StoreFilter.Exists(keys)
                        : new StoreFilter.Equal(keys, value(search.substring(equal + 1).strip())));
    }

    static List<String> keys(String path) {
        List<String> keys = List.of(path.strip().split("\\.", -1));
        if (keys.stream().anyMatch(String::isBlank)) {
            throw new DocumentException(
                    DocumentException.Kind.XPATH,
                    "the path \""
                            + path.strip()
                            + "\" has an empty key; write keys from the root element on with points between"
                            + " them, such as person.hobbies.hobby, and %2E for a point in a name");
        }
        return keys;
    }

    private static String value(String written) {
        boolean quoted =
                written.length() > 1
                        && (written.charAt(0) == '"' || written.charAt(0) == '\'')
                        && written.charAt(0) == written.charAt(written.length() - 1);
        return quoted ? written.substring(1, written.length() - 1) : written;
    }
}
