export { excerpt, protocolFailure } from '../failures/provider-failures.ts'
