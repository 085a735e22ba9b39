import {
  type AskProvider,
  type AskRefused,
  type AskReply,
  type AskRequest,
  type AskService,
  type AskSettings,
  type AuditLog,
  askContract,
  type CostLimitName,
  envelopeBytes,
  errorFrame,
  openAsk,
  readAskRequest,
  readCostLimits,
  refusalBody,
} from '@stickler/ask'
import type { TraceEvent, Usage } from '@stickler/core'
import type { Price } from '@stickler/core/runners'
import { askStore } from '../api/ask-store.ts'
import type { ChoiceRunner } from '../enforcement/choice-runner.ts'
import { dearest } from '../enforcement/dearest.ts'
import { mostOfAsk } from '../enforcement/most-cost.ts'
import type { Reservation } from '../enforcement/reservation.ts'
import { RunLog } from '../enforcement/run-log.ts'
import { sumOf } from '../enforcement/usage-of.ts'
import type { Exchange, Route } from '../http/exchange.ts'
import { goingDown, isCutOff } from '../http/going-down.ts'
import { HttpError } from '../http/http-error.ts'
import { sendBody, sendJson } from '../http/json-response.ts'
import { openSse } from '../http/sse-writer.ts'
import type { RunRecord } from '../record/run-record.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { auditRefusal, WatchedAudit } from './ask-refusals.ts'
import { askRunner } from './ask-runner.ts'
import type { RouteDependencies } from './dependencies.ts'

/** An upstream that questions may be put to. */
export interface AskTarget extends Omit<AskProvider, 'runner'> {
  readonly upstream: Upstream
}

/** How `/ask` answers now; absent when it is not configured. */
export interface AskRouteSettings extends Omit<AskSettings, 'providers' | 'onEvent'> {
  readonly targets: readonly AskTarget[]
  readonly audit: AuditLog
}

const json = 'application/json; charset=utf-8'

const cutOffReply: AskRefused = {
  ok: false,
  status: goingDown.status,
  error: goingDown.message,
  failure: { kind: 'aborted', message: goingDown.message },
}

/** Questions over sources: `POST /ask`. */
export function askRoute(dependencies: RouteDependencies, current: () => AskRouteSettings | undefined): Route {
  return {
    method: 'POST',
    path: '/ask',
    access: 'call',
    errors: 'ask',
    async handler(exchange) {
      const settings = current()
      if (settings === undefined) throw new HttpError(404, 'Questions are not configured; the configuration has no `ask`.')
      const audit = new WatchedAudit(settings.audit)
      let body: Readonly<Record<string, unknown>> = {}
      try {
        body = await exchange.json()
        await answer(exchange, body, { ...settings, audit }, dependencies)
      } catch (thrown) {
        if (!audit.isWritten) await auditRefusal(exchange, body, thrown, { ...settings, today: dependencies.today })
        throw thrown
      }
    },
    async refused(exchange, thrown) {
      const settings = current()
      if (settings !== undefined) await auditRefusal(exchange, {}, thrown, { ...settings, today: dependencies.today })
    },
  }
}

async function answer(
  exchange: Exchange,
  body: Readonly<Record<string, unknown>>,
  settings: AskRouteSettings,
  dependencies: RouteDependencies,
): Promise<void> {
  const limits = readCostLimits(settings.limits ?? {})
  const read = readAskRequest(body, limits, settings.caching?.defaultTtlSeconds)
  if ('error' in read) throw refusalOf(read.error)
  const reservation = await dependencies.admit(exchange.identity.key, () => ({
    tokens: mostOfAsk(
      { question: read.request.question, sources: read.request.sources },
      {
        providers: settings.targets.length,
        contract: askContract('strict', read.stream, limits.timeMs),
        isStreamed: read.stream,
        completion: limits.completionTokens,
      },
    ),
    price: dearest(settings.targets.flatMap(pricesOf)),
  }))
  const user = exchange.request.headers['x-stickler-user']
  const request: AskRequest = {
    ...read.request,
    tenant: exchange.identity.key,
    ...(typeof user === 'string' ? { user } : {}),
    signal: exchange.signal,
  }
  const turn = new AskTurn(exchange, settings, dependencies, reservation)
  // A refusal is told by its status, which a stream has sent before it begins.
  const isStream = read.stream && !turn.isRefused(request)
  try {
    await askStore(isStream ? turn.stream(request) : turn.whole(request))
  } finally {
    await reservation?.settle(turn.used)
  }
}

function refusalOf({
  param,
  message,
  limit,
}: {
  readonly param: string
  readonly message: string
  readonly limit?: CostLimitName
}): HttpError {
  if (limit !== undefined) return new HttpError(413, message, { param, code: limit, body: { limit, param } })
  return new HttpError(400, `${param}: ${message}`, { param, body: { param } })
}

/** One question on its way. */
class AskTurn {
  readonly #exchange: Exchange
  readonly #settings: AskRouteSettings
  readonly #with: RouteDependencies
  readonly #log: RunLog
  readonly #at: number
  readonly #runners: ChoiceRunner[] = []
  readonly #reservation: Reservation | undefined
  readonly #service: AskService
  #calls = 0
  #end: Extract<TraceEvent, { type: 'run-ended' }> | undefined

  /** What all calls have used, told or estimated. */
  get used(): Usage {
    return sumOf(this.#runners.flatMap(({ replies }) => replies))
  }

  constructor(exchange: Exchange, settings: AskRouteSettings, dependencies: RouteDependencies, reservation: Reservation | undefined) {
    this.#exchange = exchange
    this.#settings = settings
    this.#with = dependencies
    this.#reservation = reservation
    this.#log = new RunLog(dependencies.current().keepText)
    this.#at = dependencies.today()
    this.#service = this.#open()
  }

  /** Whether the question is put to nobody. */
  isRefused(request: AskRequest): boolean {
    return this.#service.refusal(request) !== undefined
  }

  async whole(request: AskRequest): Promise<void> {
    const { signal } = this.#exchange
    const reply = await this.#service.ask(request)
    const isLost = isCutOff(signal) && !reply.ok
    await this.#record(isLost ? cutOffReply : reply, false)
    if (isLost) throw goingDown
    if (signal.aborted && !isCutOff(signal)) return
    if (reply.ok) sendBody(this.#exchange, 200, json, envelopeBytes(reply.envelope), headersOf(reply))
    else sendJson(this.#exchange, reply.status, refusalBody(reply), headersOf(reply))
  }

  async stream(request: AskRequest): Promise<void> {
    const sse = openSse(this.#exchange, { heartbeatMs: this.#with.current().heartbeatMs, heartbeat: () => ': still working\n\n' })
    try {
      const frames = this.#service.frames(request)
      // The last frame waits until the run is recorded.
      let waiting = ''
      for (;;) {
        const step = await frames.next()
        if (step.done) {
          const isLost = isCutOff(this.#exchange.signal)
          await this.#record(isLost ? cutOffReply : step.value, true)
          if (isLost) sse.lastWords(errorFrame({ code: cutOffReply.status, message: cutOffReply.error }))
          else await sse.write(waiting)
          return
        }
        if (waiting !== '') await sse.write(waiting)
        waiting = step.value
        if (waiting.startsWith('event: sources') || waiting.startsWith('event: answer_token')) {
          await sse.write(waiting)
          waiting = ''
        }
      }
    } finally {
      sse.end()
    }
  }

  #open(): AskService {
    const { targets, ...settings } = this.#settings
    const providers = targets.map((target) => {
      const { upstream, ...provider } = target
      return {
        ...provider,
        runner: (knobs: Parameters<typeof askRunner>[1]) => {
          const runner = askRunner(upstream, knobs, { requestId: this.#exchange.requestId }, dearest(pricesOf(target)))
          this.#runners.push(runner)
          return runner
        },
      }
    })
    return openAsk({
      ...settings,
      providers,
      onEvent: (event) => {
        this.#log.listen(event)
        if (event.type === 'run-ended') this.#end = event
        // Each provider's first call is one more too, unless it is the first of all.
        if (event.type === 'attempt-started' && ++this.#calls > 1) this.#reservation?.again()
      },
    })
  }

  async #record(reply: AskReply, stream: boolean): Promise<void> {
    const { observe, recorder, clock, newRunId } = this.#with
    const { requestId, identity, startedAt } = this.#exchange
    const { model = '' } = reply.ok ? reply.envelope : reply
    // An answer that was kept is nothing that a provider before it has brought.
    const end = reply.ok && reply.envelope.cache_hit ? undefined : this.#end
    const record: RunRecord = {
      id: newRunId(),
      requestId,
      choice: 0,
      at: this.#at,
      ms: clock.now() - startedAt,
      api: 'ask',
      stream,
      model,
      upstream: reply.upstream ?? '',
      upstreamModel: model,
      contract: 'ask',
      key: identity.key,
      status: end?.status ?? (reply.ok ? reply.verdict : 'failed'),
      reason: end?.reason ?? (reply.ok ? 'cached' : 'refused'),
      httpStatus: reply.status,
      attempts: this.#log.attempts,
      issues: end?.issues ?? [],
      fixed: [],
      repairs: [],
      unchecked: [],
      usage: this.used,
      delivered: reply.ok,
      ...(reply.ok
        ? {}
        : { failure: { kind: reply.limit ?? reply.failure?.kind ?? 'refused', message: reply.error, status: reply.status } }),
    }
    observe(record, this.#exchange, reply.ok ? 'ok' : reply.status === 422 ? 'invalid' : 'error')
    await recorder.run(record)
  }
}

/** What a million tokens cost, for each model that it may be asked for. */
function pricesOf({ price, models }: AskTarget): Price[] {
  const all = [...(price === undefined ? [] : [price]), ...(models?.values() ?? [])]
  return all.map(({ prompt, completion }) => ({ promptPerMillion: prompt * 1e6, completionPerMillion: completion * 1e6 }))
}

function headersOf(reply: AskReply): Readonly<Record<string, string>> {
  if (reply.ok) {
    return {
      'x-stickler-status': reply.verdict,
      'x-stickler-attempts': String(reply.envelope.retry_count + 1),
      'x-stickler-contract': 'ask',
    }
  }
  const wait = reply.retryAfterMs ?? reply.failure?.retryAfterMs
  return {
    'x-stickler-status': reply.status === 422 ? 'unresolved' : reply.status === 424 ? 'unchecked' : 'failed',
    'x-stickler-contract': 'ask',
    ...(reply.status === 422 || reply.status === 424 ? { 'x-should-retry': 'false' } : {}),
    ...(wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait / 1000)) }),
  }
}
