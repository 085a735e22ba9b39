export {
  type Breaker,
  type BreakerPorts,
  type BreakerSettings,
  type BreakerState,
  createBreaker,
  type Passage,
} from './adapters/breaker.ts'
export { FairPlaces } from './adapters/fair-places.ts'
export { FairQueue, makeRoom, type Queued } from './adapters/fair-queue.ts'
export { type GuardedCall, guarded, ServiceUnavailable } from './adapters/guarded.ts'
export { wholeBody } from './adapters/rules/fetch-connection.ts'
export { type RemoteRules, type RemoteRulesSettings, remoteRules } from './adapters/rules/remote-rules.ts'
export type { RuleConnection, RuleReply, RuleTarget } from './adapters/rules/rule-connection.ts'
export type { RuleEvent, RuleListener } from './adapters/rules/rule-event.ts'
export { addressProblem } from './contract/rules/address.ts'
export { environmentName, headersEnvSchema, headersSchema, wrongHeaderValue } from './contract/rules/http-headers.ts'
export { type WaitLimit, waitAtMost } from './engine/waiting/wait-at-most.ts'
