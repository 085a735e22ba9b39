export type { BreakerPorts, Passage } from '../adapters/breaker.ts'
export { FairPlaces } from '../adapters/fair-places.ts'
export { FairQueue, makeRoom, type Queued } from '../adapters/fair-queue.ts'
export {
  type GuardedParser,
  guardedParser,
  type ParserEvent,
  type ParserGuard,
  type ParserState,
  parserStates,
} from '../adapters/guarded-parser.ts'
export { wholeBody } from '../adapters/rules/fetch-connection.ts'
export { callRule, RuleRefused } from '../adapters/rules/rule-call.ts'
export type { RuleConnection, RuleTarget } from '../adapters/rules/rule-connection.ts'
export { readLine, writeRequest } from '../adapters/rules/rule-lines.ts'
