export { collectionProblem, indexAddresses, readIndexAddress } from './retrieval/engines/index-address.ts'
