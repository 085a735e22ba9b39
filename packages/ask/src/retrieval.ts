export { memoryEngine } from './retrieval/engines/memory-engine.ts'
export type { Chunk, Hit, IndexEngine, IndexedDocument, IndexFacts } from './retrieval/index-engine.ts'
export { type Retrieval, type RetrievedChunk, type RetrieveOptions, type Retriever, RetrieverUnavailable } from './retrieval/retriever.ts'
