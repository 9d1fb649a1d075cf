/** Responses as zstd and brotli, by native libraries. */
@org.jspecify.annotations.NullMarked
module dev.penstock.http.compression {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires com.aayushatharva.brotli4j;
    requires com.github.luben.zstd_jni;

    exports dev.penstock.http.compression;

    provides dev.penstock.http.ContentCoder with
            dev.penstock.http.compression.ZstdCoder,
            dev.penstock.http.compression.BrotliCoder;
}
