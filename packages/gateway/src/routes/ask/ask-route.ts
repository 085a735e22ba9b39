import { type AskReply, refusalBody } from '@stickler/ask'
import { type AskStep, lastValue, leftReply } from '@stickler/ask/internal'
import { bodySchema, type Fields } from '@stickler/core/internal'
import { type ClientError, HttpError } from '@stickler/core/internal/apis'
import { validationHeader } from '@stickler/core/internal/relay'
import { answerTokenFrame, envelopeBytes, errorFrame, sourcesFrame, validationFrame } from '@stickler/presets/internal'
import * as z from 'zod'
import type { BodyWidth, Exchange, Route } from '../../front/exchange.ts'
import { sendBody, sendJson } from '../../front/replies/json-response.ts'
import { goingDown, isCutOff } from '../../front/replies/overload-errors.ts'
import { openSse } from '../../front/replies/sse-writer.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { auditRefusal } from './ask-audit.ts'
import { cutOffReply, isLost } from './ask-replies.ts'
import type { AskTargets } from './ask-targets.ts'
import { Question } from './question.ts'
import { nameOfContract } from './question-record.ts'
import { askShape, readAskRequest } from './read-request.ts'

const json = 'application/json; charset=utf-8'

/** Sources have a limit of their own, whose refusal says how many there were. */
const widest: BodyWidth = { fields: 10_000, items: 131_072, values: 524_288, everything: 1_048_576 }

/** The body of an error of `/ask`. */
export function askErrorBody({ message, body }: ClientError): Readonly<Record<string, unknown>> {
  return { ok: false, error: message, ...body }
}

/** Questions about sources: `POST /ask`. */
export function askRoute(dependencies: RouteDependencies, current: () => AskTargets | undefined): Route {
  async function refused(exchange: Exchange, thrown: unknown, body: Fields = {}): Promise<void> {
    const settings = current()
    if (settings !== undefined) await auditRefusal(exchange, body, thrown, { ...settings, today: dependencies.today })
  }
  function read(exchange: Exchange, body: Fields): { readonly question: Question; readonly stream: boolean } {
    const settings = current()
    if (settings === undefined) throw new HttpError(404, 'Questions are not configured; the configuration has no `ask`.')
    const { limits, caching, pipeline } = settings
    const terms = { limits, ttlSeconds: caching.defaultTtlSeconds, hasPipeline: pipeline !== undefined }
    const { request, stream } = readAskRequest(body, terms)
    return { question: new Question(exchange, request, settings, dependencies), stream }
  }
  return {
    method: 'POST',
    path: '/ask',
    access: 'call',
    errors: askErrorBody,
    description: askDescription,
    async handler(exchange) {
      let body: Fields = {}
      let asked: ReturnType<typeof read>
      try {
        body = await exchange.json(widest)
        asked = read(exchange, body)
      } catch (thrown) {
        await refused(exchange, thrown, body)
        throw thrown
      }
      const { question, stream } = asked
      const steps = question.answer(stream)
      try {
        const first = await steps.next()
        // A rejection is reported by its status, which a stream would already have sent.
        if (stream && !first.done) await sendStream(exchange, steps, dependencies)
        else sendWhole(exchange, first.done ? first.value : await lastValue(steps), question.settings)
      } finally {
        await steps.return(leftReply)
      }
    },
    refused: (exchange, thrown) => refused(exchange, thrown),
  }
}

function sendWhole(exchange: Exchange, reply: AskReply, settings: AskTargets): void {
  const { signal } = exchange
  if (isLost(reply)) throw goingDown
  if (signal.aborted && !isCutOff(signal)) return
  const headers = headersOf(reply, nameOfContract(reply, settings))
  if (reply.ok) sendBody(exchange, 200, json, envelopeBytes(reply.envelope), headers)
  else sendJson(exchange, reply.status, refusalBody(reply), headers)
}

async function sendStream(
  exchange: Exchange,
  steps: AsyncGenerator<AskStep, AskReply>,
  { current }: Pick<RouteDependencies, 'current'>,
): Promise<void> {
  const sse = openSse(exchange, { heartbeatMs: current().heartbeatMs, heartbeat: () => ': still working\n\n' })
  try {
    let step = await steps.next()
    for (; !step.done; step = await steps.next()) await sse.write(stepFrame(step.value))
    const reply = step.value
    if (isLost(reply)) sse.lastWords(errorFrame({ code: cutOffReply.status, message: cutOffReply.error }))
    else await sse.write(lastFrame(reply))
  } finally {
    sse.end()
  }
}

/** The frame of one step of an answer: its sources, or the next piece of it. */
export function stepFrame(step: AskStep): string {
  return typeof step === 'string' ? answerTokenFrame(step) : sourcesFrame(step.sources)
}

/** The last frame of a stream. */
export function lastFrame(reply: AskReply): string {
  if (!reply.ok) return errorFrame({ ...reply, code: reply.status, message: reply.error })
  const { envelope } = reply
  return validationFrame({ ...envelope.validation, audit: envelope })
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

/** What `/ask` takes and gives. */
function askDescription(): RouteDescription {
  const sources = z.array(z.looseObject({ urn: z.string(), payload: z.string() }))
  const type = z.string().describe('Decides the way through the pipeline, where there is one.')
  const body = bodySchema({ ...askShape, sources, type }).extend({ question: askShape.question })
  const span = z.tuple([z.int(), z.int()]).describe('UTF-8 bytes of the answer.')
  const finding = z.looseObject({ kind: z.string(), detail: z.string() })
  const validation = z.looseObject({ ok: z.boolean(), warnings: z.array(finding), errors: z.array(finding) })
  const envelope = z.looseObject({
    answer: z.string(),
    cache_hit: z.boolean(),
    citations: z.array(z.looseObject({ marker: z.int(), source_index: z.int(), span, urn: z.string().nullable() })),
    completion_tokens: z.number(),
    cost_usd: z.number().nullable(),
    mode: z.enum(['strict', 'lenient']),
    model: z.string(),
    prompt_tokens: z.number(),
    provider: z.string(),
    retry_count: z.int(),
    sources_flat: z.array(z.looseObject({ urn: z.string() })),
    validation,
  })
  const errors = { 'application/json': z.looseObject({ ok: z.literal(false), error: z.string() }) }
  const refused = { 'application/json': z.looseObject({ ok: z.literal(false), validation }) }
  return {
    summary: 'Answer a question over sources.',
    group: 'Questions',
    body: { 'application/json': body },
    replies: {
      200: {
        meaning: 'The answer with its citations, or with `stream` frames named `sources`, `answer_token`, `validation` and `error`.',
        content: { 'application/json': envelope, 'text/event-stream': z.looseObject({}) },
      },
      404: { meaning: 'Questions are not configured.', content: errors },
      422: { meaning: 'The citations stayed wrong.', content: refused },
    },
    errors,
    names: { Answer: envelope },
  }
}
