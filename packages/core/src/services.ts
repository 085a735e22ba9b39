export {
  type Breaker,
  type BreakerPorts,
  type BreakerSettings,
  type BreakerState,
  createBreaker,
  type Passage,
} from './adapters/breaker.ts'
export { type GuardedCall, guarded, ServiceUnavailable } from './adapters/guarded.ts'
export { addressProblem } from './contract/rules/address.ts'
export { environmentName, headersEnvSchema, headersSchema, wrongHeaderValue } from './contract/rules/http-headers.ts'
