export { parseTtl } from './cache/ttl.ts'
export { pipelines } from './pipeline/pipelines.ts'
export { collectionProblem, indexAddresses, readIndexAddress } from './retrieval/engines/index-address.ts'
