export { parseTtl } from '@stickler/presets/internal'
export { collectionProblem, indexAddresses, readIndexAddress } from './retrieval/engines/index-address.ts'
