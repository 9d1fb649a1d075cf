package dev.penstock.presidents.portrait;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.util.Set;
import java.util.SplittableRandom;

/** A head and shoulders in profile, facing right, in a box 100 wide and 120 high. */
final class Bust {
    private static final Color SKIN = new Color(0xF3E9D8);
    private static final Color COAT = new Color(0xDCCFB8);
    private static final Color LINEN = new Color(0xFBF7EE);
    private static final Color SHADE = new Color(0xB7A68C);
    private static final Color DARK = new Color(0x6E6252);

    private static final BasicStroke STRAND = new BasicStroke(0.8f);

    private final Set<Look> looks;
    private final double nose;
    private final double chin;
    private final double brow;
    private final Color hair;
    private final Path2D head;

    Bust(Set<Look> looks, SplittableRandom random) {
        this.looks = looks;
        this.nose = random.nextDouble(-1.6, 2.2);
        this.chin = random.nextDouble(-1.2, 2);
        this.brow = random.nextDouble(-1, 1.2);
        this.hair = looks.contains(Look.QUEUE) ? new Color(0xFAF4E8) : new Color(0xE3D4BA);
        this.head = head();
    }

    void draw(Relief relief) {
        if (has(Look.QUEUE)) {
            queue(relief);
        }
        shoulders(relief);
        relief.fill(head, SKIN, 150);
        features(relief);
        hair(relief);
        beard(relief);
        if (has(Look.GLASSES)) {
            glasses(relief);
        }
        if (has(Look.HAT)) {
            hat(relief);
        }
    }

    private boolean has(Look look) {
        return looks.contains(look);
    }

    /** Neck and head: from the nape over the crown, down the face, and back along the jaw. */
    private Path2D head() {
        double heavy = has(Look.STOUT) ? 4 : has(Look.THIN) ? -2.5 : 0;
        Path2D path = new Path2D.Double();
        path.moveTo(30, 108);
        path.curveTo(33, 98, 34 - heavy, 92, 33 - heavy, 82);
        path.curveTo(26, 74, 24, 62, 25, 50);
        path.curveTo(26, 30, 38, 18, 53, 18);
        path.curveTo(64, 18, 72, 25, 74 + brow, 36);
        path.curveTo(74.5 + brow, 38.5, 75 + brow, 40, 73.5, 43);
        path.curveTo(76, 47, 79 + nose, 52, 81 + nose, 56);
        path.curveTo(82 + nose, 58.5, 79, 59, 76, 59.3);
        path.curveTo(75, 61, 76, 62, 77, 63.5);
        path.curveTo(77.8, 65, 76, 66, 74.8, 66.4);
        path.curveTo(76.8, 67.3, 77, 69.5, 75, 70.6);
        path.curveTo(74, 72, 75.5 + chin, 74, 76 + chin, 77);
        path.curveTo(76 + chin, 82, 71, 85 + heavy, 66, 84.5 + heavy);
        path.curveTo(61, 84.5 + heavy, 58, 83 + heavy, 56 + heavy, 84 + heavy);
        path.curveTo(57 + heavy, 92, 58 + heavy, 98, 64, 108);
        path.closePath();
        return path;
    }

    private void shoulders(Relief relief) {
        double wide = has(Look.STOUT) ? 4 : has(Look.THIN) ? -3 : 0;
        Path2D coat = new Path2D.Double();
        coat.moveTo(34, 90);
        coat.curveTo(26, 97, 14 - wide, 98, 8 - wide, 108);
        coat.curveTo(18, 122, 70, 128, 90 + wide, 110);
        coat.curveTo(86 + wide, 102, 72, 98, 62, 92);
        coat.closePath();
        relief.fill(coat, COAT, 95);
        Path2D collar = new Path2D.Double();
        collar.moveTo(30, 92);
        collar.curveTo(40, 104, 54, 108, 66, 113);
        collar.lineTo(69, 94);
        collar.curveTo(56, 100, 42, 96, 34, 86);
        collar.closePath();
        relief.fill(collar, LINEN, 125);
        Path2D lapel = new Path2D.Double();
        lapel.moveTo(27, 94);
        lapel.curveTo(36, 108, 50, 112, 60, 120);
        lapel.moveTo(69, 96);
        lapel.lineTo(68, 119);
        relief.stroke(lapel, new BasicStroke(1.4f), SHADE, 50);
    }

    private void features(Relief relief) {
        Path2D eye = new Path2D.Double();
        eye.moveTo(66.5, 44.5);
        eye.quadTo(69, 42.6, 72, 44);
        eye.moveTo(67.5, 45.8);
        eye.quadTo(69.5, 46.6, 71.5, 45.4);
        eye.moveTo(64.5, 40.5);
        eye.quadTo(69, 37.2, 73 + brow, 39.2);
        eye.moveTo(72.5, 66.6);
        eye.lineTo(75.4, 66.3);
        eye.moveTo(75, 58.6);
        eye.quadTo(73, 57.4, 74, 55.4);
        relief.stroke(eye, new BasicStroke(1.1f), SHADE, 95);
        Path2D ear = new Path2D.Double();
        ear.moveTo(46, 50);
        ear.curveTo(42, 45, 49, 42, 51, 48);
        ear.curveTo(52, 53, 49, 58, 47.5, 60);
        relief.fill(ear, SKIN, 185);
        relief.stroke(ear, new BasicStroke(0.9f), SHADE, 110);
    }

    private void hair(Relief relief) {
        if (has(Look.HAT)) {
            lock(relief, Hair.SHORT, 0);
            return;
        }
        for (Hair each : Hair.values()) {
            if (has(each.look)) {
                lock(relief, each, has(Look.BALD) && each != Hair.BALD ? 5 : 0);
                if (each != Hair.QUEUE) {
                    return;
                }
            }
        }
    }

    /** One shape of hair with its strands. */
    private void lock(Relief relief, Hair style, double back) {
        AffineTransform move = AffineTransform.getTranslateInstance(-back, 0);
        Shape area = move.createTransformedShape(style.shape());
        relief.fill(area, hair, 190);
        relief.strokeInside(area, move.createTransformedShape(Hair.strands()), STRAND, SHADE, 140);
    }

    private void queue(Relief relief) {
        Path2D tail = new Path2D.Double();
        tail.moveTo(30, 70);
        tail.curveTo(20, 76, 18, 92, 22, 104);
        tail.curveTo(26, 100, 32, 92, 36, 80);
        tail.closePath();
        relief.fill(tail, hair, 170);
        Path2D bow = new Path2D.Double();
        bow.moveTo(28, 78);
        bow.lineTo(17, 72);
        bow.lineTo(18, 83);
        bow.closePath();
        bow.append(new Ellipse2D.Double(25, 75, 6, 6), false);
        relief.fill(bow, DARK, 200);
    }

    private void beard(Relief relief) {
        if (has(Look.WHISKERS)) {
            tuft(relief, "46 46, 50 56, 58 66, 62 74, 54 78, 46 66");
        }
        if (has(Look.LONGBEARD)) {
            tuft(relief, "46 52, 54 64, 68 64, 80 66, 84 96, 72 102, 52 88");
        }
        if (has(Look.BEARD)) {
            tuft(relief, "46 50, 54 64, 68 63, 80 67, 80 84, 70 92, 50 82");
        }
        if (has(Look.CHINBEARD)) {
            tuft(relief, "46 50, 50 64, 60 74, 73 71, 80 82, 72 92, 52 82");
        }
        if (has(Look.MOUSTACHE)) {
            tuft(relief, "77 59.5, 80.5 62, 78 66, 71 68, 65 68.5, 68 62");
        }
    }

    /** A closed curve through points, with strands that run down. */
    private void tuft(Relief relief, String outline) {
        Shape area = Hair.smooth(outline);
        relief.fill(area, hair, 185);
        Path2D strands = new Path2D.Double();
        for (double x = 42; x < 90; x += 2.6) {
            strands.moveTo(x, 44);
            strands.curveTo(x + 3, 60, x - 2, 76, x + 2, 104);
        }
        relief.strokeInside(area, strands, STRAND, SHADE, 145);
    }

    private void glasses(Relief relief) {
        relief.stroke(new Ellipse2D.Double(66, 40.5, 7.5, 8.5), new BasicStroke(1f), DARK, 210);
        Path2D bow = new Path2D.Double();
        bow.moveTo(66, 44);
        bow.lineTo(48, 46);
        relief.stroke(bow, new BasicStroke(0.9f), DARK, 210);
    }

    private void hat(Relief relief) {
        Path2D crown = new Path2D.Double();
        crown.moveTo(28, 34);
        crown.curveTo(30, 20, 28, 8, 27, -2);
        crown.quadTo(50, -7, 73, -2);
        crown.curveTo(72, 10, 72, 20, 74, 32);
        crown.closePath();
        relief.fill(crown, COAT, 200);
        Path2D band = new Path2D.Double();
        band.moveTo(28.5, 29);
        band.quadTo(50, 25, 73.5, 27);
        relief.stroke(
                band, new BasicStroke(5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL), DARK, 190);
        Path2D brim = new Path2D.Double();
        brim.moveTo(15, 35);
        brim.quadTo(50, 26, 88, 33);
        brim.quadTo(50, 42, 15, 35);
        brim.closePath();
        relief.fill(brim, COAT, 230);
    }
}
