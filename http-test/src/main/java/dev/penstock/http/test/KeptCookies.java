package dev.penstock.http.test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The cookies that responses have set, as a browser keeps them for one host: by name and path, until one with {@code
 * Max-Age=0} comes. {@code Secure}, {@code Domain} and times to live count for nothing. Thread-safe.
 */
final class KeptCookies {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, String> values = new LinkedHashMap<>();

    private record Key(String name, String path) {
        boolean isFor(String requested) {
            String folder = path.endsWith("/") ? path : path + "/";
            return requested.equals(path) || requested.startsWith(folder);
        }
    }

    /** Adds the cookies that a request has to bring. */
    TestRequest addTo(TestRequest request) {
        StringBuilder cookies = new StringBuilder();
        lock.lock();
        try {
            values.forEach((key, value) -> {
                if (key.isFor(request.path())) {
                    cookies.append(cookies.isEmpty() ? "" : "; ")
                            .append(key.name())
                            .append('=')
                            .append(value);
                }
            });
        } finally {
            lock.unlock();
        }
        return cookies.isEmpty() ? request : request.header("Cookie", cookies.toString());
    }

    /** Keeps what a response sets. */
    void keep(List<String> setCookies) {
        lock.lock();
        try {
            setCookies.forEach(this::keep);
        } finally {
            lock.unlock();
        }
    }

    private void keep(String setCookie) {
        String[] parts = setCookie.split(";", -1);
        String[] pair = parts[0].split("=", 2);
        String path = "/";
        boolean expired = false;
        for (int i = 1; i < parts.length; i++) {
            String attribute = parts[i].strip();
            String lower = attribute.toLowerCase(Locale.ROOT);
            if (lower.startsWith("path=/")) {
                path = attribute.substring("path=".length());
            }
            expired |= lower.equals("max-age=0");
        }
        Key key = new Key(pair[0].strip(), path);
        if (expired || pair.length < 2) {
            values.remove(key);
        } else {
            values.put(key, pair[1].strip());
        }
    }
}
