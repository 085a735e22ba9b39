import { checkNumbers } from '../contract/configuration-error.ts'
import { type Clock, notify, systemClock } from '../contract/ports.ts'
import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '../contract/syntax.ts'
import { TimeLimit, ValidatorUnavailable } from '../contract/validator-unavailable.ts'
import { type BreakerState, createBreaker } from './breaker.ts'
import { guarded } from './guarded.ts'

/** State of the circuit to a parser; `disabled` never changes. */
export type ParserState = BreakerState | 'disabled'

/** Every state of the circuit to a parser. */
export const parserStates = ['closed', 'open', 'half-open', 'disabled'] as const satisfies readonly ParserState[]

/** How a call to a parser ended; it was not asked when the circuit was `open` and when it is `disabled`. */
const parserResults = [
  'valid',
  'invalid',
  'unsupported',
  'fault',
  'timeout',
  'too-large',
  'too-hard',
  'refused',
  'aborted',
  'open',
  'disabled',
] as const

/** One of them. */
type ParserResult = (typeof parserResults)[number]

/** What happens at a guarded parser. */
export type ParserEvent =
  /** With a scope, one caller alone meets this state. */
  | { readonly type: 'circuit'; readonly state: BreakerState; readonly scope?: 'caller' | undefined }
  | { readonly type: 'call'; readonly result: ParserResult; readonly ms: number }

/** When a parser is paused, and who is notified. */
export interface ParserGuard {
  /** How many failures in a row open the circuit; 3. */
  readonly failures?: number
  /** How long it stays open before a call is let through as a probe; 30 s. */
  readonly openMs?: number
  /** How long one call may take; 2 s. With 0 the parser is disabled and never called. */
  readonly timeoutMs?: number
  readonly clock?: Clock
  /** Called on every call and every change of the circuit; exceptions are ignored. */
  readonly onEvent?: (event: ParserEvent) => void
}

/** A parser that is not called for a while when it fails again and again. */
export interface GuardedParser extends SyntaxParser {
  readonly state: ParserState
}

/** Puts a circuit breaker and a time limit around a parser that may be absent, slow or broken. */
export function guardedParser(parser: SyntaxParser, guard: ParserGuard = {}): GuardedParser {
  const { failures = 3, openMs = 30_000, timeoutMs = 2000, clock = systemClock } = guard
  const onEvent = (event: ParserEvent): void => notify(guard.onEvent, event)
  if (timeoutMs === 0) return disabledParser(onEvent)
  checkNumbers({ timeoutMs })
  const breaker = createBreaker(
    { failures, openMs, maxOpenMs: openMs },
    { clock, onChange: (state, scope) => onEvent({ type: 'circuit', state, scope }) },
  )
  return {
    ...(parser.load === undefined ? {} : { load: parser.load }),
    get state() {
      return breaker.state
    },
    async parse(language, source, signal, caller) {
      const began = clock.now()
      const found = breaker.stateFor(caller)
      const tell = (result: ParserResult): void => onEvent({ type: 'call', result, ms: clock.now() - began })
      const call = (stop: AbortSignal): Promise<SyntaxVerdict> => parser.parse(language, source, stop, caller)
      // A check that runs out of time over many snippets says nothing about the last of them.
      const isLate = (reason: unknown): boolean => reason instanceof TimeLimit && clock.now() - began >= reason.ms / 2
      try {
        const verdict = await guarded(breaker, call, {
          timeoutMs,
          clock,
          caller,
          name: 'the parser',
          isFault,
          isLate,
          ...(signal === undefined ? {} : { signal }),
        })
        tell(verdict.verdict)
        return verdict
      } catch (thrown) {
        const isOverdue = isLate(thrown)
        const failure = isOverdue ? overdue(found) : asUnavailable(thrown, found, signal)
        tell(isOverdue || isTimeout(thrown) ? 'timeout' : failure.reason)
        throw failure
      }
    },
  }
}

function disabledParser(onEvent: (event: ParserEvent) => void): GuardedParser {
  return {
    state: 'disabled',
    async parse() {
      onEvent({ type: 'call', result: 'disabled', ms: 0 })
      throw new ParserUnavailable('the parser is disabled', 'disabled', 'disabled')
    },
  }
}

/** Whatever a parser throws beside what it declares is a fault of its own. */
function isFault(thrown: unknown): boolean {
  return !(thrown instanceof ParserUnavailable) || thrown.reason === 'fault'
}

function overdue(circuit: BreakerState): ParserUnavailable {
  return new ParserUnavailable('the parser did not answer within the time of the check', 'fault', circuit, 'timeout')
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof ValidatorUnavailable && thrown.fault === 'timeout'
}

function asUnavailable(thrown: unknown, circuit: BreakerState, signal: AbortSignal | undefined): ParserUnavailable {
  if (thrown instanceof ParserUnavailable)
    return isFault(thrown) ? new ParserUnavailable(thrown.message, 'fault', circuit, thrown.fault) : thrown
  if (signal?.aborted) return new ParserUnavailable('the caller gave up', 'aborted')
  return thrown instanceof ValidatorUnavailable
    ? new ParserUnavailable(thrown.message, thrown.reason ?? 'fault', circuit, thrown.fault)
    : new ParserUnavailable('the parser failed', 'fault', circuit)
}
