package dev.penstock.presidents.portrait;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Encodes pictures as JPEG files of about the size that the article's had. */
final class Jpeg {
    /** The article's average size of a picture. */
    static final int TARGET_BYTES = 7 * 1024;

    private static final int STEPS = 5;

    private Jpeg() {}

    /** Encodes with the quality, found by halving, that comes nearest to the target without going beyond. */
    static byte[] encode(BufferedImage image) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try {
            float low = 0.7f;
            float high = 1f;
            byte[] best = encode(writer, image, low);
            for (int step = 0; step < STEPS; step++) {
                float middle = (low + high) / 2;
                byte[] bytes = encode(writer, image, middle);
                if (bytes.length <= TARGET_BYTES) {
                    low = middle;
                    best = bytes;
                } else {
                    high = middle;
                }
            }
            return best;
        } catch (IOException e) {
            throw new UncheckedIOException("encoding a picture", e);
        } finally {
            writer.dispose();
        }
    }

    private static byte[] encode(ImageWriter writer, BufferedImage image, float quality)
            throws IOException {
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        parameters.setCompressionQuality(quality);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), parameters);
        }
        return bytes.toByteArray();
    }
}
