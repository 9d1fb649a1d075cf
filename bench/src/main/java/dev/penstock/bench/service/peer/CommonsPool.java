package dev.penstock.bench.service.peer;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** The pool of objects of commons-pool2, from which they are borrowed for a call. */
final class CommonsPool {
    private CommonsPool() {}

    private static final class Maker extends BasePooledObjectFactory<Work> {
        private final Work.Maker work;

        private Maker(Work.Maker work) {
            this.work = work;
        }

        @Override
        public Work create() {
            return work.make();
        }

        @Override
        public PooledObject<Work> wrap(Work object) {
            return new DefaultPooledObject<>(object);
        }
    }

    static Bounded start(int atOnce, Work.Maker maker) {
        GenericObjectPoolConfig<Work> configuration = new GenericObjectPoolConfig<>();
        configuration.setMaxTotal(atOnce);
        configuration.setMaxIdle(atOnce);
        configuration.setJmxEnabled(false);
        GenericObjectPool<Work> pool = new GenericObjectPool<>(new Maker(maker), configuration);
        return new Bounded() {
            @Override
            public long perform(long argument) throws Exception {
                Work borrowed = pool.borrowObject();
                try {
                    return borrowed.perform(argument);
                } finally {
                    pool.returnObject(borrowed);
                }
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }
}
