import { once } from 'node:events'
import { Answer, type Settled } from '@stickler/core'
import { applicable, type Fields, settledData } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { withListedRepairs } from '@stickler/core/internal/relay'
import { memoryCounts } from '@stickler/node/internal/hooks'
import * as z from 'zod'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import { sendBeforeEnd } from '../../front/replies/send-error.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { Request } from '../../requests/request.ts'
import { CheckContracts } from '../check/check-contracts.ts'
import { type CheckRouteParts, judgeAnswer, recordOf } from '../check/check-route.ts'
import { watchHead } from './body-head.ts'
import { claudeCode } from './claude-code.ts'
import { type Guardrail, type GuardrailReply, type Judge, needFew, readFields, Unreadable, type Verdict } from './guardrail.ts'
import { litellm } from './litellm.ts'
import { openWebuiInlet, openWebuiOutlet } from './open-webui.ts'
import { portkey } from './portkey.ts'

/** Makes the routes by which other gateways ask for verdicts; each answers with a verdict whatever it is sent. */
export function guardrailRoutes(parts: CheckRouteParts): readonly Route[] {
  const contracts = new CheckContracts(parts.contracts)
  const all = [litellm, portkey, openWebuiInlet, openWebuiOutlet, claudeCode(memoryCounts())]
  const strays = new Map(all.map((guardrail) => [guardrail.name, { ...guardrail, path: `${guardrail.name}/*` }]))
  return [...[...all, ...strays.values()].map((guardrail) => guardrailRoute(guardrail, contracts, parts)), pipelinesRoute(parts)]
}

function guardrailRoute(guardrail: Guardrail, contracts: CheckContracts, parts: CheckRouteParts): Route {
  const { path, summary, notes, body, reply, error } = guardrail
  return {
    method: 'POST',
    path: `/guardrails/${path}`,
    access: 'call',
    description: () => ({
      summary,
      notes,
      group: 'Checks',
      body: { 'application/json': body },
      replies: {
        200: { meaning: 'The verdict.', content: { 'application/json': reply } },
        ...(error && { 400: { meaning: 'The refusal.', content: { 'application/json': error } } }),
      },
    }),
    async refused(exchange, thrown) {
      // Callers take such errors for a pass, so every client with a key gets a verdict.
      if (!(thrown instanceof HttpError) || !afterKeys.has(thrown.status)) return
      await send(exchange, guardrail.refuse(thrown.message, (await watchBody(exchange, guardrail)?.()) ?? {}))
    },
    async handler(exchange) {
      const end = parts.use?.()
      const glimpse = watchBody(exchange, guardrail)
      let sent: Fields | undefined
      let reply: GuardrailReply
      try {
        sent = await exchange.json()
        if (exchange.params.contract === undefined) throw new Unreadable('There is no guardrail at this path.')
        const answered = await guardrail.answer(sent, judgeFor(exchange, guardrail.name, sent, contracts, parts))
        // The client has disconnected, or the server shuts down: what was aborted is not a verdict.
        reply = exchange.signal.aborted ? guardrail.refuse('The check was aborted.', sent) : answered
      } catch (error) {
        if (!(error instanceof Unreadable || error instanceof HttpError)) exchange.log.error({ err: error }, 'a guardrail failed')
        const why = error instanceof Unreadable || error instanceof HttpError ? error.message : 'The check failed.'
        reply = guardrail.refuse(why, sent ?? (await glimpse?.()) ?? {})
      } finally {
        end?.()
      }
      await send(exchange, reply)
    },
  }
}

/** Watches the body of a request; the function returned gives what can be seen of it. */
function watchBody({ request }: Exchange, { glimpse }: Guardrail): (() => Promise<Fields>) | undefined {
  if (glimpse === undefined) return undefined
  const head = watchHead(request, glimpse.bytes)
  return async () => glimpse.read(await head())
}

/** The errors before a handler that only the holder of a key gets: too large, too many at once, overloaded. */
const afterKeys: ReadonlySet<number> = new Set([413, 429, 503])

/** Sends a reply, and waits for the end of a request whose body was not read. */
async function send(exchange: Exchange, { status = 200, body }: GuardrailReply): Promise<void> {
  if (exchange.response.destroyed) return
  if (exchange.request.complete) sendJson(exchange, status, body)
  else sendBeforeEnd(exchange, status, 'application/json; charset=utf-8', JSON.stringify(body))
  if (!exchange.response.writableEnded) await once(exchange.response, 'close')
}

function judgeFor(exchange: Exchange, tag: string, sent: Fields, contracts: CheckContracts, parts: CheckRouteParts): Judge {
  const chosen = contracts.find({ contract: exchange.params.contract, preset: undefined, repair: undefined })
  const request = new Request(exchange, 'check', parts)
  const { clock } = parts
  request.begin()
  let choice = 0
  let started = clock.now()
  const record = async (settled: Settled): Promise<void> => {
    if (exchange.signal.aborted) return
    const now = clock.now()
    const kept = request.record(recordOf(request, {}, chosen, withListedRepairs(settled), now - started, choice++))
    started = now
    request.tell()
    await askStore(kept)
  }
  const { model, hook_event_name: event } = sent
  const facts = {
    ...(typeof model === 'string' && { model }),
    tags: [tag, ...(typeof event === 'string' ? [event] : [])],
  }
  const responses = contracts.forResponses(chosen)
  const settle: Judge['settle'] = (answer, only) => judgeAnswer(request, { answer, context: {}, request: facts }, chosen, only)
  const check: Judge['check'] = async (fields) => {
    const { answer: given, context, asked, rawToolCalls } = readFields(fields)
    const settled = await judgeAnswer(request, { answer: given, context, asked, request: facts }, responses)
    await record(settled)
    const { tool_calls: calls } = settledData(settled, given, rawToolCalls)
    return { given, settled, toolCalls: Array.isArray(calls) ? calls : undefined }
  }
  return {
    contract: applicable(chosen.contract, { api: 'check', ...facts }),
    settle,
    record,
    check,
    async checkAll(choices) {
      needFew('choices', choices)
      const verdicts: Verdict[] = []
      for (const choice of choices) verdicts.push(await check(choice))
      return verdicts
    },
    async checkTexts(texts) {
      needFew('texts', texts)
      const verdicts: Verdict[] = []
      for (const text of texts) {
        const given = new Answer(text)
        verdicts.push({ given, settled: await settle(given), toolCalls: undefined })
      }
      const all = verdicts.map(({ settled }) => settled)
      const decisive = all.find(({ delivered }) => !delivered) ?? all.find(({ status }) => status !== 'valid') ?? all.at(-1)
      if (decisive !== undefined) await record(decisive)
      return verdicts
    },
  }
}

const listed = z.looseObject({ object: z.literal('list'), pipelines: z.literal(true), data: z.array(z.looseObject({ id: z.string() })) })

/** Lists the contracts as filters of Open WebUI, which asks for them as models. */
function pipelinesRoute({ contracts }: CheckRouteParts): Route {
  const describe = (id: string) => ({ id, name: id, pipeline: { type: 'filter', pipelines: ['*'], priority: 0, valves: false } })
  return {
    method: 'GET',
    path: '/guardrails/open-webui/v1/models',
    access: 'call',
    description: () => ({
      summary: 'List the contracts as filter pipelines of Open WebUI.',
      group: 'Checks',
      replies: { 200: { meaning: 'One filter for each contract.', content: { 'application/json': listed } } },
    }),
    handler: async (exchange) => sendJson(exchange, 200, { object: 'list', pipelines: true, data: [...contracts().keys()].map(describe) }),
  }
}
