package dev.penstock.http.files;

import java.util.Locale;
import java.util.Map;

/** Media types by the ends of files' names, for what web sites have. */
final class MediaTypes {
    private static final Map<String, String> BY_EXTENSION =
            Map.ofEntries(
                    Map.entry("html", "text/html; charset=utf-8"),
                    Map.entry("htm", "text/html; charset=utf-8"),
                    Map.entry("css", "text/css; charset=utf-8"),
                    Map.entry("js", "text/javascript; charset=utf-8"),
                    Map.entry("mjs", "text/javascript; charset=utf-8"),
                    Map.entry("txt", "text/plain; charset=utf-8"),
                    Map.entry("md", "text/markdown; charset=utf-8"),
                    Map.entry("csv", "text/csv; charset=utf-8"),
                    Map.entry("json", "application/json"),
                    Map.entry("map", "application/json"),
                    Map.entry("webmanifest", "application/manifest+json"),
                    Map.entry("xml", "application/xml"),
                    Map.entry("svg", "image/svg+xml"),
                    Map.entry("png", "image/png"),
                    Map.entry("jpg", "image/jpeg"),
                    Map.entry("jpeg", "image/jpeg"),
                    Map.entry("gif", "image/gif"),
                    Map.entry("webp", "image/webp"),
                    Map.entry("avif", "image/avif"),
                    Map.entry("ico", "image/x-icon"),
                    Map.entry("woff", "font/woff"),
                    Map.entry("woff2", "font/woff2"),
                    Map.entry("ttf", "font/ttf"),
                    Map.entry("otf", "font/otf"),
                    Map.entry("mp4", "video/mp4"),
                    Map.entry("webm", "video/webm"),
                    Map.entry("mp3", "audio/mpeg"),
                    Map.entry("ogg", "audio/ogg"),
                    Map.entry("wav", "audio/wav"),
                    Map.entry("pdf", "application/pdf"),
                    Map.entry("zip", "application/zip"),
                    Map.entry("gz", "application/gzip"),
                    Map.entry("tar", "application/x-tar"),
                    Map.entry("wasm", "application/wasm"),
                    Map.entry("jsonld", "application/ld+json"),
                    Map.entry("ndjson", "application/x-ndjson"),
                    Map.entry("geojson", "application/geo+json"),
                    Map.entry("xhtml", "application/xhtml+xml"),
                    Map.entry("atom", "application/atom+xml"),
                    Map.entry("rss", "application/rss+xml"),
                    Map.entry("yaml", "application/yaml"),
                    Map.entry("yml", "application/yaml"),
                    Map.entry("log", "text/plain; charset=utf-8"),
                    Map.entry("vtt", "text/vtt; charset=utf-8"),
                    Map.entry("ics", "text/calendar; charset=utf-8"),
                    Map.entry("bmp", "image/bmp"),
                    Map.entry("tif", "image/tiff"),
                    Map.entry("tiff", "image/tiff"),
                    Map.entry("jxl", "image/jxl"),
                    Map.entry("aac", "audio/aac"),
                    Map.entry("flac", "audio/flac"),
                    Map.entry("m4a", "audio/mp4"),
                    Map.entry("opus", "audio/ogg"),
                    Map.entry("m4v", "video/mp4"),
                    Map.entry("mov", "video/quicktime"),
                    Map.entry("ogv", "video/ogg"),
                    Map.entry("epub", "application/epub+zip"),
                    Map.entry("rtf", "application/rtf"),
                    Map.entry("tgz", "application/gzip"),
                    Map.entry("bz2", "application/x-bzip2"),
                    Map.entry("xz", "application/x-xz"),
                    Map.entry("zst", "application/zstd"),
                    Map.entry("7z", "application/x-7z-compressed"),
                    Map.entry("jar", "application/java-archive"));

    private MediaTypes() {}

    /** Returns the media type that goes with a file's name; bytes of whatever kind where none is known. */
    static String of(String fileName) {
        return BY_EXTENSION.getOrDefault(extension(fileName), "application/octet-stream");
    }

    /** Returns what stands behind the last dot, in lower case; empty where there is none. */
    static String extension(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
