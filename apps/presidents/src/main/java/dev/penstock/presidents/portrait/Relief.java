package dev.penstock.presidents.portrait;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A picture whose shapes have a height as well as a colour, and are lit from the upper left at the end. Drawn at twice the
 * size and averaged down.
 */
final class Relief {
    private static final int SCALE = 2;

    private final int width;
    private final int height;
    private final BufferedImage colours;
    private final BufferedImage heights;
    private final AffineTransform place;

    Relief(int width, int height) {
        this(
                width,
                height,
                new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB),
                new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB),
                AffineTransform.getScaleInstance(SCALE, SCALE));
    }

    private Relief(
            int width,
            int height,
            BufferedImage colours,
            BufferedImage heights,
            AffineTransform place) {
        this.width = width;
        this.height = height;
        this.colours = colours;
        this.heights = heights;
        this.place = place;
    }

    /** The same picture in other coordinates. */
    Relief with(AffineTransform transform) {
        AffineTransform both = new AffineTransform(place);
        both.concatenate(transform);
        return new Relief(width, height, colours, heights, both);
    }

    /** Fills a shape. Heights are 0 to 255. */
    void fill(Shape shape, Color colour, int level) {
        fillInside(null, shape, colour, level);
    }

    void stroke(Shape shape, BasicStroke stroke, Color colour, int level) {
        fill(stroke.createStrokedShape(shape), colour, level);
    }

    /** Draws what of a stroke is inside a shape. */
    void strokeInside(Shape bounds, Shape shape, BasicStroke stroke, Color colour, int level) {
        fillInside(bounds, stroke.createStrokedShape(shape), colour, level);
    }

    private void fillInside(@Nullable Shape bounds, Shape shape, Color colour, int level) {
        Shape clip = bounds == null ? null : place.createTransformedShape(bounds);
        Shape placed = place.createTransformedShape(shape);
        paint(colours, clip, placed, colour);
        paint(heights, clip, placed, new Color(level, level, level));
    }

    private static void paint(
            BufferedImage image, @Nullable Shape clip, Shape shape, Color colour) {
        Graphics2D graphics = image.createGraphics();
        graphics.setClip(clip);
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setColor(colour);
        graphics.fill(shape);
        graphics.dispose();
    }

    /** The lit picture, with the grain of paper. */
    BufferedImage shaded(SplittableRandom grain) {
        float[] fine = blurred(levels(), 1);
        float[] broad = blurred(blurred(levels(), 5), 5);
        int wide = width * SCALE;
        BufferedImage lit = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double red = 0;
                double green = 0;
                double blue = 0;
                for (int i = 0; i < SCALE * SCALE; i++) {
                    int px = Math.clamp(x * SCALE + i % SCALE, 1, wide - 2);
                    int py = Math.clamp(y * SCALE + i / SCALE, 1, height * SCALE - 2);
                    double light = 1 + slope(fine, px, py) * 0.0042 + slope(broad, px, py) * 0.0105;
                    int colour = colours.getRGB(px, py);
                    red += (colour >> 16 & 255) * light;
                    green += (colour >> 8 & 255) * light;
                    blue += (colour & 255) * light;
                }
                double noise = (grain.nextDouble() - 0.5) * 5;
                lit.setRGB(
                        x,
                        y,
                        channel(red, noise) << 16
                                | channel(green, noise) << 8
                                | channel(blue, noise));
            }
        }
        return lit;
    }

    private static int channel(double sum, double noise) {
        return (int) Math.clamp(sum / (SCALE * SCALE) + noise, 0, 255);
    }

    /** How much the surface at a pixel faces the light. */
    private double slope(float[] level, int x, int y) {
        int wide = width * SCALE;
        int at = y * wide + x;
        return level[at + 1] - level[at - 1] + level[at + wide] - level[at - wide];
    }

    private float[] levels() {
        int[] pixels = heights.getRGB(0, 0, width * SCALE, height * SCALE, null, 0, width * SCALE);
        float[] levels = new float[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            levels[i] = pixels[i] & 255;
        }
        return levels;
    }

    /** The mean over a square of that radius. */
    private float[] blurred(float[] levels, int radius) {
        int wide = width * SCALE;
        int high = height * SCALE;
        float[] rows = new float[levels.length];
        for (int y = 0; y < high; y++) {
            slide(levels, rows, y * wide, 1, wide, radius);
        }
        float[] both = new float[levels.length];
        for (int x = 0; x < wide; x++) {
            slide(rows, both, x, wide, high, radius);
        }
        return both;
    }

    /** The running mean along one row or column; beyond its ends it goes on as it ended. */
    private static void slide(
            float[] from, float[] to, int start, int step, int count, int radius) {
        float sum = 0;
        for (int i = -radius; i <= radius; i++) {
            sum += from[start + Math.clamp(i, 0, count - 1) * step];
        }
        for (int i = 0; i < count; i++) {
            to[start + i * step] = sum / (2 * radius + 1);
            sum += from[start + Math.min(i + radius + 1, count - 1) * step];
            sum -= from[start + Math.max(i - radius, 0) * step];
        }
    }
}
