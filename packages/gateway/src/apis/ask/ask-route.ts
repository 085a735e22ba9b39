import { type AskReply, type CostLimitName, envelopeBytes, errorFrame, readAskRequest, readCostLimits, refusalBody } from '@stickler/ask'
import type { ClientError } from '@stickler/core/wire'
import type { RouteDependencies } from '../../enforcement/dependencies.ts'
import type { BodyWidth, Exchange, Route } from '../../front/exchange.ts'
import { goingDown, isCutOff } from '../../front/replies/going-down.ts'
import { HttpError } from '../../front/replies/http-error.ts'
import { sendBody, sendJson } from '../../front/replies/json-response.ts'
import { openSse } from '../../front/replies/sse-writer.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { validationHeader } from '../shared/validation-status.ts'
import { admitAsk } from './admit-ask.ts'
import { callerOf } from './ask-caller.ts'
import { askDescription } from './ask-description.ts'
import { auditRefusal, WatchedAudit } from './ask-refusals.ts'
import type { AskTargets } from './ask-settings.ts'
import { AskTurn, cutOffReply, isLost, nameOfContract } from './ask-turn.ts'

const json = 'application/json; charset=utf-8'

/** Sources have a limit of their own, whose refusal says how many there were. */
const widest: BodyWidth = { fields: 10_000, items: 131_072, values: 524_288, everything: 1_048_576 }

/** The body of an error of `/ask`. */
export function askErrorBody({ message, body }: ClientError): Readonly<Record<string, unknown>> {
  return { ok: false, error: message, ...body }
}

/** Questions about sources: `POST /ask`. */
export function askRoute(dependencies: RouteDependencies, current: () => AskTargets | undefined): Route {
  const { today } = dependencies
  return {
    method: 'POST',
    path: '/ask',
    access: 'call',
    errors: askErrorBody,
    description: askDescription,
    async handler(exchange) {
      const settings = current()
      if (settings === undefined) throw new HttpError(404, 'Questions are not configured; the configuration has no `ask`.')
      const audit = new WatchedAudit(settings.audit)
      let body: Readonly<Record<string, unknown>> = {}
      const end = settings.begin?.()
      try {
        body = await exchange.json(widest)
        await answer(exchange, body, { ...settings, audit }, dependencies)
      } catch (thrown) {
        if (!audit.isWritten) await auditRefusal(callerOf(exchange), body, thrown, { ...settings, today })
        throw thrown
      } finally {
        end?.()
      }
    },
    async refused(exchange, thrown) {
      const settings = current()
      if (settings !== undefined) await auditRefusal(callerOf(exchange), {}, thrown, { ...settings, today })
    },
  }
}

async function answer(
  exchange: Exchange,
  body: Readonly<Record<string, unknown>>,
  settings: AskTargets,
  dependencies: RouteDependencies,
): Promise<void> {
  const read = readAskRequest(
    body,
    readCostLimits(settings.limits ?? {}),
    settings.caching?.defaultTtlSeconds,
    settings.pipeline !== undefined,
  )
  if ('error' in read) throw refusalOf(read.error)
  const { request, stream } = read
  const caller = callerOf(exchange)
  const turn = new AskTurn(caller, request, settings, dependencies, await admitAsk(caller, request, stream, settings, dependencies))
  try {
    // A rejection is reported by its status, which a stream would already have sent.
    const isStream = stream && !turn.isRefused
    await askStore(isStream ? sendStream(exchange, turn, dependencies) : sendWhole(exchange, turn, settings))
  } finally {
    await turn.settle()
  }
}

async function sendWhole(exchange: Exchange, turn: AskTurn, settings: AskTargets): Promise<void> {
  const { signal } = exchange
  const reply = await turn.whole()
  if (isLost(reply)) throw goingDown
  if (signal.aborted && !isCutOff(signal)) return
  const headers = headersOf(reply, nameOfContract(reply, settings))
  if (reply.ok) sendBody(exchange, 200, json, envelopeBytes(reply.envelope), headers)
  else sendJson(exchange, reply.status, refusalBody(reply), headers)
}

async function sendStream(exchange: Exchange, turn: AskTurn, { current }: RouteDependencies): Promise<void> {
  const sse = openSse(exchange, { heartbeatMs: current().heartbeatMs, heartbeat: () => ': still working\n\n' })
  try {
    const frames = turn.frames()
    for (let step = await frames.next(); ; step = await frames.next()) {
      if (!step.done) await sse.write(step.value)
      else if (isLost(step.value)) return sse.lastWords(errorFrame({ code: cutOffReply.status, message: cutOffReply.error }))
      else return
    }
  } finally {
    sse.end()
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

function headersOf(reply: AskReply, contract: string): Readonly<Record<string, string>> {
  if (reply.ok) {
    return {
      'x-stickler-status': reply.verdict,
      'x-stickler-attempts': String(reply.envelope.retry_count + 1),
      'x-stickler-contract': contract,
      ...validationHeader(reply.envelope.validation_status),
    }
  }
  const wait = reply.retryAfterMs ?? reply.failure?.retryAfterMs
  return {
    'x-stickler-status': reply.verdict ?? 'failed',
    'x-stickler-contract': contract,
    ...(reply.verdict === undefined ? {} : { 'x-should-retry': 'false' }),
    ...(wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait / 1000)) }),
  }
}
