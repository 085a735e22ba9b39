import { type Clock, type Environment, notify, systemClock } from '../../contract/ports.ts'
import { clamp } from '../../contract/quote.ts'
import type { RemoteRule, RulePort } from '../../contract/rules/rule-port.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { type Breaker, type BreakerState, createBreaker } from '../breaker.ts'
import { fetchConnection } from './fetch-connection.ts'
import { callRule, RuleRefused } from './rule-call.ts'
import type { RuleConnection, RuleReply, RuleTarget } from './rule-connection.ts'
import type { RuleListener } from './rule-event.ts'
import { readValue, writeRequest } from './rule-lines.ts'

/** What asking services needs. */
export interface RemoteRulesSettings {
  /** Holds the values of the variables that rules name; none when absent. */
  readonly env?: Environment
  /** Sends requests; the platform's when absent. */
  readonly fetch?: typeof globalThis.fetch
  /** Makes the way to a service, in place of `fetch`. */
  readonly connect?: (target: RuleTarget) => RuleConnection
  readonly clock?: Clock
  /** Called when the circuit to a service opens or closes. */
  readonly onEvent?: RuleListener
}

/** Asks services that judge answers. */
export interface RemoteRules extends RulePort<RemoteRule> {
  /** Whether calls get through to a service. */
  state(rule: RemoteRule): BreakerState
  /** Resolves when a service answers anything at all; no answer is judged. */
  probe(rule: RemoteRule, signal: AbortSignal): Promise<void>
  /** Closes all connections. */
  close(): Promise<void>
}

/** More is not read of a reply. */
const maxBytes = 1024 * 1024

interface Service {
  readonly breaker: Breaker
  readonly connection: RuleConnection
}

/** Asks services over HTTP: with a time limit and a circuit breaker for each, no redirects, and replies that must be JSON. */
export function remoteRules(settings: RemoteRulesSettings = {}): RemoteRules {
  const { env = {}, clock = systemClock } = settings
  const connect = settings.connect ?? ((target) => fetchConnection(target, { clock, fetch: settings.fetch }))
  const tell: RuleListener = (event) => notify(settings.onEvent, event)
  const services = new Map<string, Service>()
  let requests = 0

  function serviceOf(rule: RemoteRule): Service {
    const { name, url, timeoutMs } = rule
    // Rules of several contracts may mean the same service.
    const key = JSON.stringify([url, timeoutMs, rule.keyEnv, rule.headers, rule.headersEnv])
    const known = services.get(key)
    if (known !== undefined) return known
    const service: Service = {
      breaker: createBreaker({}, { clock, onChange: (state, scope) => tell({ type: 'circuit', rule: name, state, scope }) }),
      connection: connect({ url, headers: headersOf(rule, env), timeoutMs, maxBytes }),
    }
    services.set(key, service)
    return service
  }

  return {
    async ask(rule, request, signal, caller) {
      const { name, timeoutMs } = rule
      const { breaker, connection } = serviceOf(rule)
      const id = String(++requests)
      const body = writeRequest(id, request)
      const call = async (stop: AbortSignal): Promise<unknown> => readReply(await connection.post(body, stop).catch(explain), id)
      return callRule(call, { breaker, name, timeoutMs, signal, clock, caller })
    },
    state: (rule) => serviceOf(rule).breaker.state,
    async probe(rule, signal) {
      await serviceOf(rule).connection.probe(signal).catch(explain)
    },
    async close() {
      await Promise.all([...services.values()].map(({ connection }) => connection.close()))
    },
  }
}

function readReply({ status, contentType, body }: RuleReply, id: string): unknown {
  if (status !== 200) throw new RunnerFailure('http', `it answered with status ${status}`)
  if (!/^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i.test(contentType.trim()))
    throw new RunnerFailure(
      'protocol',
      `it answered with ${contentType === '' ? 'no content type' : clamp(contentType, 60)} instead of application/json`,
    )
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new RunnerFailure('protocol', 'its reply is not UTF-8')
  }
  return readValue(text, id)
}

function headersOf({ keyEnv, headers = {}, headersEnv = {} }: RemoteRule, env: Environment): Readonly<Record<string, string>> {
  const variable = (name: string): string => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    if (value) return value
    throw new RuleRefused(`the environment variable ${name} is not set`)
  }
  return {
    ...headers,
    ...(keyEnv === undefined ? {} : { authorization: `Bearer ${variable(keyEnv)}` }),
    ...Object.fromEntries(Object.entries(headersEnv).map(([header, name]) => [header, variable(name)])),
  }
}

/** A service that turns down this one answer is there. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422])

/** Says what went wrong without the words of the service, which may repeat what it was sent. */
function explain(thrown: unknown): never {
  if (!(thrown instanceof RunnerFailure)) throw thrown
  const { kind, message, details } = thrown
  const { status } = details
  if (kind === 'aborted' && details.cause instanceof Error) throw details.cause
  if (kind !== 'http' || status === undefined) throw new RunnerFailure(kind, message.replace('the provider', 'it'))
  if (status < 400) throw new RunnerFailure(kind, `it redirects to another address (status ${status}), which is not followed`)
  throw refusals.has(status)
    ? new RuleRefused(`the rule refused the answer with status ${status}`)
    : new RunnerFailure(kind, `it answered with status ${status}`)
}
