import type { EngineKind } from '../engine-kind.ts'

/** An index in PostgreSQL. */
export const postgres: EngineKind = {
  name: 'postgres',
  shown: 'postgres://…',
  address: /^postgres(?:ql)?:\/\//,
  guide: {
    address: '`postgres://user@host/database`',
    needs: 'PostgreSQL (tested with 18), the right to create tables',
    text: 'GIN index, BM25',
    vectors:
      'exact: by [pgvector](https://github.com/pgvector/pgvector) if it is installed or can be, otherwise in the Stickler process, for up to a few thousand passages',
  },
  open: async (url, collection) => (await import('./postgres-engine.ts')).postgresEngine({ url, collection }),
}
