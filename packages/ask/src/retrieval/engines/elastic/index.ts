import type { EngineKind } from '../engine-kind.ts'

const open: EngineKind['open'] = async (url, collection) => (await import('./elastic-engine.ts')).elasticEngine({ url, collection })

/** An index in Elasticsearch. */
export const elasticsearch: EngineKind = {
  name: 'elasticsearch',
  shown: 'elasticsearch+http(s)://…',
  address: /^elasticsearch\+https?:\/\//,
  guide: {
    address: '`elasticsearch+https://host:9200`',
    needs: '`npm install @elastic/elasticsearch`',
    text: "the server's BM25",
    vectors: "the server's nearest neighbours (HNSW)",
  },
  open,
}

/** An index in OpenSearch. */
export const opensearch: EngineKind = {
  name: 'opensearch',
  shown: 'opensearch+http(s)://…',
  address: /^opensearch\+https?:\/\//,
  guide: {
    address: '`opensearch+https://host:9200`',
    needs: '`npm install @opensearch-project/opensearch`',
    text: "the server's BM25",
    vectors: "the server's nearest neighbours (HNSW)",
  },
  open,
}
