import type { Clock } from '@stickler/core'
import { type Executor, noUsage, unknownName } from '@stickler/core/internal'
import { refusalRow } from '@stickler/presets/internal'
import { auditPipeline } from '../audit/audit-pipeline.ts'
import type { AskProvider } from '../ports.ts'
import { askPrompt } from '../question/prompt.ts'
import { questionOf } from '../question/question.ts'
import type { QuestionParts } from '../question/question-parts.ts'
import { type AskRequest, completeRequest, type ReadRequest, requestFault } from '../question/request.ts'
import { type AskRefused, type AskReply, exhaustedReply, mayFailOver, unavailableReply } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { askContract } from './ask-contract.ts'
import type { AskStep } from './ask-step.ts'
import { leftReply } from './left.ts'
import { type EarlyEnd, isPiped, prepareByPipeline } from './prepare-by-pipeline.ts'
import { ProviderTurn } from './provider-turn.ts'
import type { JudgedSoFar } from './put-to-provider.ts'

/**
 * Tries one provider after the other until one answers; yields the sources once they are known, and
 * released text.
 */
export async function* runAsk(input: AskRequest, dependencies: AskDependencies, streaming: boolean): AsyncGenerator<AskStep, AskReply> {
  const completed = completeRequest(input, dependencies.caching.defaultTtlSeconds)
  const request = 'error' in completed ? (input as ReadRequest) : completed
  const providers = 'error' in completed ? completed : wanted(request, dependencies)
  if ('error' in providers) return await refused(request, providers, dependencies)
  const { limits, clock, pipeline } = dependencies
  let parts: QuestionParts
  let elapsed = stopwatch(clock)
  if (pipeline !== undefined && isPiped(request)) {
    const prepared = await prepareByPipeline(request, elapsed, pipeline, dependencies)
    if ('reply' in prepared) return await refused(request, prepared.reply, dependencies, prepared.end)
    parts = prepared
    yield* announced(request, parts, dependencies)
  } else {
    parts = plainQuestion(request, dependencies.executor)
    yield* announced(request, parts, dependencies)
    elapsed = stopwatch(clock)
  }
  const question = await questionOf(parts, { request, limits, elapsed })
  let shown = false
  if (providers.length === 0) return await refused(request, { ok: false, status: 502, error: 'no provider is configured' }, dependencies)
  const failed: { readonly label: string; readonly reply: AskRefused }[] = []
  // A question has one number of answers, whichever providers give them.
  let judged: JudgedSoFar = { answers: 0 }
  for (const provider of providers) {
    const turn = new ProviderTurn(question, provider, dependencies, judged, failed.length === 0)
    const reply = yield* watched(turn.take(streaming), () => {
      shown = true
    })
    // Shown text cannot be taken back, so no other provider may start over.
    if (reply.ok || shown || reply.failure === undefined || !mayFailOver(reply.failure)) return reply
    failed.push({ label: labelOf(provider), reply })
    judged = turn.judged
  }
  return exhaustedReply(failed, failed.at(-1)?.reply as AskRefused)
}

/** Yields the sources; a caller that leaves here is audited too. */
async function* announced(
  request: ReadRequest,
  { sources, preparation }: QuestionParts,
  dependencies: AskDependencies,
): AsyncGenerator<AskStep, void> {
  let isLeft = true
  try {
    yield { sources }
    isLeft = false
  } finally {
    if (isLeft) {
      const { usage = noUsage, nodes } = preparation ?? {}
      const pipeline = preparation && auditPipeline(preparation, nodes)
      await refused(request, leftReply, dependencies, { status: 'failed', kind: 'aborted', usage, pipeline, sources })
    }
  }
}

function stopwatch(clock: Clock): () => number {
  const started = clock.now()
  return () => Math.floor(clock.now() - started)
}

/** Why no provider is called. */
export function refusalOf(input: AskRequest, dependencies: AskDependencies): AskRefused | undefined {
  const request = completeRequest(input)
  if ('error' in request) return request
  const providers = wanted(request, dependencies)
  return 'error' in providers ? providers : undefined
}

function wanted(request: ReadRequest, { limits, providers, pipeline }: AskDependencies): readonly AskProvider[] | AskRefused {
  return requestFault(request, limits, pipeline !== undefined) ?? chosenProviders(request, providers)
}

function labelOf({ name, alias = name }: AskProvider): string {
  return alias === name ? name : `${alias} (${name})`
}

async function* watched(turn: AsyncGenerator<string, AskReply>, onText: () => void): AsyncGenerator<string, AskReply> {
  let reply: AskReply | undefined
  try {
    for (;;) {
      const step = await turn.next()
      if (step.done) {
        reply = step.value
        return reply
      }
      onText()
      yield step.value
    }
  } finally {
    // Leaving the stream also ends the model call.
    if (reply === undefined) await turn.return(leftReply)
  }
}

/** A question that reaches no provider is audited too. */
async function refused(
  request: ReadRequest,
  reply: AskRefused,
  { audit, today, keep }: AskDependencies,
  end: EarlyEnd = {},
): Promise<AskRefused> {
  const { tenant, user, role } = request
  const { limit } = reply
  const { status = 'refused', kind = limit === undefined ? 'request' : 'limit', usage = noUsage, pipeline, sources } = end
  const { promptTokens, completionTokens, cost } = usage
  const known = { tenant, user, role, limit, status, promptTokens, completionTokens, costUsd: cost, pipeline, ts: today() }
  try {
    const body = sources === undefined ? request : { ...request, sources }
    await audit.write(await refusalRow({ body, ...known, failure: { kind, detail: reply.error } }, keep))
  } catch (error) {
    return unavailableReply(error, 'the audit could not be written')
  }
  return reply
}

/** A question with its own sources: strict citations, and nothing else. */
function plainQuestion({ question, sources = [] }: ReadRequest, executor: Executor | undefined): QuestionParts {
  const rules = { cites: true, contract: askContract, ...(executor ? { executor } : {}) }
  return { sources, prompt: askPrompt(question, sources), rules }
}

/** The providers with the requested name and model, each with that model and its price. */
function chosenProviders({ provider, model }: ReadRequest, all: readonly AskProvider[]): readonly AskProvider[] | AskRefused {
  const wanted = namesIn(provider)
  const has = ({ name, alias }: AskProvider, one: string): boolean => name === one || alias === one
  const stranger = wanted.find((one) => !all.some((known) => has(known, one)))
  if (stranger !== undefined) {
    return unknown(
      'provider',
      stranger,
      all.flatMap(({ name, alias = name }) => [alias, name]),
    )
  }
  const named = wanted.length === 0 ? all : [...new Set(wanted.flatMap((one) => all.filter((known) => has(known, one))))]
  const able = named.flatMap((one) => withModel(one, model))
  if (able.length > 0 || named.length === 0) return able
  const models = named.flatMap((one) => [...(one.model === '' ? [] : [one.model]), ...(one.models?.keys() ?? [])])
  if (model !== undefined) return unknown('model', model, models)
  return { ok: false, status: 400, error: 'model: is required, because the provider has no default model', param: 'model' }
}

/**
 * The names of a list such as `groq, openai`, in order; a list without names matches no provider.
 */
function namesIn(list = ''): string[] {
  return list.split(',').flatMap((name) => name.trim() || [])
}

function withModel(provider: AskProvider, model = provider.model): AskProvider[] {
  if (model === '') return []
  if (model === provider.model) return [provider]
  const { models, price: _price, ...rest } = provider
  // A price for one model says nothing about another.
  if (models === undefined) return provider.price === undefined ? [{ ...rest, model }] : []
  const price = models.get(model)
  return price === undefined ? [] : [{ ...rest, model, price }]
}

function unknown(param: 'provider' | 'model', name: string, known: readonly string[]): AskRefused {
  return { ok: false, status: 400, error: unknownName(param, name, [...new Set(known)]), param }
}
