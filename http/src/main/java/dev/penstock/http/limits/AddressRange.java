package dev.penstock.http.limits;

import dev.penstock.http.message.Syntax;
import java.net.InetAddress;
import java.util.Arrays;

/** A range of addresses: those that agree with one in so many leading bits. */
public final class AddressRange {
    /** Clients at Unix domain sockets, which have no address. */
    public static final AddressRange UNIX = new AddressRange(new byte[0], 0);

    private static final String UNIX_NAME = "unix";
    private final byte[] address;
    private final int prefixBits;

    private AddressRange(byte[] address, int prefixBits) {
        if (prefixBits > address.length * 8) {
            throw new IllegalArgumentException("more bits than an address has");
        }
        this.address = address;
        this.prefixBits = prefixBits;
    }

    /**
     * Reads one of the form {@code 10.0.0.0/8}, {@code fd00::/8} or, for a single address, {@code 10.1.2.3}; or {@code
     * unix} for {@link #UNIX}.
     *
     * @throws IllegalArgumentException if it is no such text; names are not looked up
     */
    public static AddressRange parse(String text) {
        if (text.equals(UNIX_NAME)) {
            return UNIX;
        }
        int slash = text.indexOf('/');
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            byte[] bytes = address.getAddress();
            int bits = slash < 0 ? bytes.length * 8 : bits(text.substring(slash + 1));
            return new AddressRange(bytes, bits);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ("%s is no range of addresses: write it like 10.1.2.3, 10.0.0.0/8 or fd00::/8,"
                                    + " or unix for clients at Unix sockets")
                            .formatted(Syntax.printable(text)),
                    e);
        }
    }

    private static int bits(String digits) {
        if (!digits.matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException("no number of bits");
        }
        return Integer.parseInt(digits);
    }

    boolean contains(InetAddress other) {
        byte[] bytes = other.getAddress();
        if (bytes.length != address.length) {
            return false;
        }
        int whole = prefixBits / 8;
        int rest = prefixBits % 8;
        return Arrays.equals(address, 0, whole, bytes, 0, whole)
                && (rest == 0 || ((address[whole] ^ bytes[whole]) & 0xff) >>> (8 - rest) == 0);
    }
}
