import type { IndexEngine } from '../index-engine.ts'

/** Everything about one engine that keeps an index; adding one is adding its record to the list. */
export interface EngineKind {
  readonly name: string
  /** Its addresses for people, such as `postgres://…`. */
  readonly shown: string
  /** Recognises its addresses by how they begin; absent for the engine of files, whose address is any path. */
  readonly address?: RegExp
  /** What the guide says of it: an address, what must be there, how texts and vectors are searched. */
  readonly guide: Readonly<Record<'address' | 'needs' | 'text' | 'vectors', string>>
  /** Opens the index at an address, or in a file; loads its code, and reaches or creates nothing before the first call. */
  open(address: string, collection: string): Promise<IndexEngine>
}

/** An index in a file. */
export const sqlite: EngineKind = {
  name: 'sqlite',
  shown: 'a file',
  guide: {
    address: 'a file',
    needs: 'nothing',
    text: 'FTS5, BM25',
    vectors: 'exact',
  },
  open: async (path, collection) => (await import('./sqlite/sqlite-engine.ts')).sqliteEngine(path, { collection }),
}

const postgres: EngineKind = {
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
  open: async (url, collection) => (await import('./postgres/postgres-engine.ts')).postgresEngine({ url, collection }),
}

const elastic = (name: string, address: RegExp): EngineKind => ({
  name,
  shown: `${name}+http(s)://…`,
  address,
  guide: {
    address: `\`${name}+https://host:9200\``,
    needs: 'the right to create an index',
    text: "the server's BM25",
    vectors: "the server's nearest neighbours (HNSW)",
  },
  open: async (url, collection) => (await import('./elastic/elastic-engine.ts')).elasticEngine(url, collection),
})

/** Every engine that keeps an index. */
export const engineKinds: readonly EngineKind[] = [
  sqlite,
  postgres,
  elastic('elasticsearch', /^elasticsearch\+https?:\/\//),
  elastic('opensearch', /^opensearch\+https?:\/\//),
]
