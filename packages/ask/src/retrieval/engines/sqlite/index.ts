import type { EngineKind } from '../engine-kind.ts'

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
  open: async (path, collection) => (await import('./sqlite-engine.ts')).sqliteEngine(path, { collection }),
}
