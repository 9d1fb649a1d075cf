package dev.penstock.presidents.portrait;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Draws somebody who was president: a cameo, the head in profile cut from ivory on a coloured oval, in a wreath of laurel,
 * with the years below. The same facts give the same picture. No font is used, since a bare machine has none.
 */
public final class Portrait {
    /** Pixels. */
    public static final int WIDTH = 120;

    /** Pixels. */
    public static final int HEIGHT = 150;

    private static final Color PAPER = new Color(0xF4EEE1);
    private static final Color LAUREL = new Color(0x8A8B5C);
    private static final Color GOLD = new Color(0xC0A062);
    private static final Color INK = new Color(0x4A4036);

    /** The grounds of the ovals: the tints of old jasperware. */
    private static final Color[] GROUNDS = {
        new Color(0x6F8FAF),
        new Color(0x8A9E86),
        new Color(0xA77F78),
        new Color(0x877C9E),
        new Color(0x5F8A8B),
        new Color(0xB0946A),
        new Color(0x6B7385)
    };

    static {
        // Without a display, or with one that can't be reached, drawing into memory would fail.
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
    }

    private final int number;
    private final String years;
    private final Set<Look> looks;
    private final Relief relief = new Relief(WIDTH, HEIGHT);
    private final SplittableRandom random;

    private Portrait(int number, String years, Set<Look> looks) {
        this.number = number;
        this.years = years;
        this.looks = looks;
        this.random = new SplittableRandom(number);
    }

    /**
     * A picture as a JPEG of about 7 KB.
     *
     * @param number colours the ground and shapes the face
     * @param years digits and dashes to write below
     * @param looks what else is to be seen
     */
    public static byte[] jpeg(int number, String years, Set<Look> looks) {
        return Jpeg.encode(new Portrait(number, years, looks).draw());
    }

    private BufferedImage draw() {
        relief.fill(new RoundRectangle2D.Double(0, 0, WIDTH, HEIGHT, 0, 0), PAPER, 40);
        relief.stroke(
                new RoundRectangle2D.Double(3, 3, WIDTH - 6, HEIGHT - 6, 7, 7),
                new BasicStroke(0.9f),
                GOLD,
                60);
        relief.fill(oval(43, 50.5), GOLD, 100);
        relief.fill(oval(40.5, 48), GOLD.darker(), 55);
        relief.fill(oval(39, 46.5), GROUNDS[number % GROUNDS.length], 30);
        AffineTransform place = new AffineTransform();
        double scale = looks.contains(Look.SMALL) ? 0.66 : 0.71;
        place.translate(62 - 50 * scale, 64.5 - 61 * scale);
        place.scale(scale, scale);
        new Bust(looks, random).draw(relief.with(place));
        wreath();
        years();
        return relief.shaded(random);
    }

    private static Shape oval(double radiusX, double radiusY) {
        return new Ellipse2D.Double(60 - radiusX, 62 - radiusY, 2 * radiusX, 2 * radiusY);
    }

    /** Two branches from below the oval up its sides, leaves in pairs; the inner and outer ones differ in height. */
    private void wreath() {
        Path2D inner = new Path2D.Double();
        Path2D outer = new Path2D.Double();
        Path2D veins = new Path2D.Double();
        for (int side = -1; side <= 1; side += 2) {
            for (int leaf = 0; leaf < 10; leaf++) {
                double angle = Math.toRadians(84 - leaf * 9.5);
                double x = 60 + side * 47.5 * Math.cos(angle);
                double y = 62 + 54.5 * Math.sin(angle);
                double heading = Math.atan2(-Math.cos(angle), side * Math.sin(angle));
                double length = 9.4 - leaf * 0.28 + random.nextDouble();
                leaf(outer, veins, x, y, heading + side * 0.5, length);
                leaf(inner, veins, x, y, heading - side * 0.35, length);
            }
        }
        relief.fill(inner, LAUREL, 95);
        relief.fill(outer, LAUREL, 120);
        relief.stroke(veins, new BasicStroke(0.5f), LAUREL.darker(), 70);
        relief.fill(new Ellipse2D.Double(57.6, 114.2, 4.8, 4.8), GOLD, 130);
    }

    private static void leaf(
            Path2D leaves, Path2D veins, double x, double y, double heading, double length) {
        AffineTransform turn = AffineTransform.getTranslateInstance(x, y);
        turn.rotate(heading);
        Path2D outline = new Path2D.Double();
        outline.moveTo(0, 0);
        outline.quadTo(length * 0.5, -2.9, length, 0);
        outline.quadTo(length * 0.5, 2.9, 0, 0);
        leaves.append(turn.createTransformedShape(outline), false);
        Path2D vein = new Path2D.Double();
        vein.moveTo(0.5, 0);
        vein.lineTo(length * 0.85, 0);
        veins.append(turn.createTransformedShape(vein), false);
    }

    private void years() {
        Shape line = Numerals.line(years, 9.5);
        Rectangle2D bounds = line.getBounds2D();
        double x = (WIDTH - bounds.getWidth()) / 2 - bounds.getX();
        Shape text = AffineTransform.getTranslateInstance(x, 129.5).createTransformedShape(line);
        relief.fill(text, INK, 20);
    }
}
