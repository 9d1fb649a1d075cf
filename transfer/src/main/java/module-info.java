/** Bodies of any size in chunks, on the server and on the client; what broke off is resumed. */
@org.jspecify.annotations.NullMarked
module dev.penstock.transfer {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires java.net.http;

    exports dev.penstock.transfer;
    exports dev.penstock.transfer.client;
    exports dev.penstock.transfer.stream;
    exports dev.penstock.transfer.upload;
}
