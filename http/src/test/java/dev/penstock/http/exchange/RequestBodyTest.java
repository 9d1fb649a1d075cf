package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.ShortAllocator;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of which a piece finds no memory: they hold and count nothing of it. */
final class RequestBodyTest {
    private final ShortAllocator allocator = new ShortAllocator();
    private final UnreadBodies unread = new UnreadBodies(10_000);
    private final RequestBody body =
            new RequestBody(
                    100_000,
                    new RequestBody.Source() {
                        @Override
                        public void demand() {}

                        @Override
                        public void taken(int bytes) {}
                    },
                    unread);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void piece_forWhichThereIsNoMemory_countsAsUnreadNoLongerThanItsRequest(boolean ifRoom) {
        ByteBuf piece = allocator.buffer().writeBytes(new byte[100]);
        allocator.setShort(true);
        assertThatThrownBy(
                        () -> {
                            if (ifRoom) {
                                var _ = body.offerIfRoom(piece);
                            } else {
                                var _ = body.offer(piece);
                            }
                        })
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
        body.close();
        assertThat(unread.bytes()).isZero();
    }
}
