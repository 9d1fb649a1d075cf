package dev.penstock.http.server;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/** Values in DER (X.690), as certificates are made of. */
final class Der {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] value(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Arrays.asList(parts).forEach(content::writeBytes);
        int length = content.size();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return value(0x30, parts);
    }

    static byte[] integer(long number) {
        return value(0x02, BigInteger.valueOf(number).toByteArray());
    }

    static byte[] octets(byte[]... parts) {
        return value(0x04, parts);
    }

    static byte[] bits(byte[] bytes) {
        return value(0x03, new byte[1], bytes);
    }

    static byte[] yes() {
        return value(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] none() {
        return value(0x05);
    }

    static byte[] time(Instant time) {
        return value(0x18, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] text(int tag, String text) {
        return value(tag, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] identifier(String dotted) {
        String[] numbers = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
        for (int i = 2; i < numbers.length; i++) {
            int number = Integer.parseInt(numbers[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (number >> shift != 0) {
                    out.write(0x80 | ((number >> shift) & 0x7f));
                }
            }
            out.write(number & 0x7f);
        }
        return value(0x06, out.toByteArray());
    }
}
