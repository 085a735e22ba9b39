export { parseTtl } from './cache/ttl.ts'
export { collectionProblem, indexAddresses, readIndexAddress } from './retrieval/engines/index-address.ts'
