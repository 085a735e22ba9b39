export { readContracts } from './config/read-contracts.ts'
