import type { EngineKind } from '../engine-kind.ts'

const kind = (name: string, address: RegExp): EngineKind => ({
  name,
  shown: `${name}+http(s)://…`,
  address,
  guide: {
    address: `\`${name}+https://host:9200\``,
    needs: 'the right to create an index',
    text: "the server's BM25",
    vectors: "the server's nearest neighbours (HNSW)",
  },
  open: async (url, collection) => (await import('./elastic-engine.ts')).elasticEngine(url, collection),
})

/** An index in Elasticsearch. */
export const elasticsearch: EngineKind = kind('elasticsearch', /^elasticsearch\+https?:\/\//)

/** An index in OpenSearch. */
export const opensearch: EngineKind = kind('opensearch', /^opensearch\+https?:\/\//)
