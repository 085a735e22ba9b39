import { enforce, type Outcome } from '@stickler/core'
import { refusalIn, runVerdict, type Terms, undeliveredBy } from '@stickler/core/internal'
import { distribute } from '@stickler/core/internal/apis'
import { endOf } from './answer.ts'
import { reasoningSearch, shownMetadata, withoutOffsets } from './beside-text.ts'
import { finishWithCalls } from './finish.ts'
import { type Generated, type Model, type Params, type Part, textOf } from './model.ts'
import { readRequest } from './request.ts'
import { Run } from './run.ts'
import { isClientCall, writeCall } from './tool-calls.ts'
import { isUnread } from './unread.ts'
import { totalUsage } from './usage.ts'

/** `doGenerate` of a model whose answers keep the contract. */
export async function generate(model: Model, params: Params, terms: Terms): Promise<Generated> {
  const run = new Run(
    params,
    terms.options,
    () => ({}) as Attempt,
    async function* (called, scope, attempt) {
      const result = await scope.hold(model.doGenerate(called))
      attempt.result = result
      const { content: parts, finishReason, usage } = result
      if (!Array.isArray(parts)) throw new TypeError('the model returned no list of parts as its content')
      const text = judgedTexts(result, params).join('')
      if (text !== '') yield { type: 'text', text }
      const refused = refusalIn(result.response?.body) !== ''
      const hasUnread = parts.some((part) => isUnread(part, 'text'))
      yield endOf({ provider: model.provider, hasText: text !== '', parts, finishReason, usage, refused, hasUnread })
    },
  )
  const outcome = await enforce({ ...readRequest(params, terms), runner: run.runner, onEvent: run.onEvent })
  if (!outcome.delivered) throw undeliveredBy(outcome, run.thrown, params.abortSignal)
  const usage = totalUsage(run.attempts.map(({ result }) => result?.usage))
  const result = resultOf(outcome, run.delivered?.result, params, usage)
  return { ...result, content: result.content.map(reasoningSearch(terms.contract)) }
}

interface Attempt {
  result?: Generated
}

/** Whether a part of the answer is parsed in place of all its text: what is beside it is then not the answer. */
function isSelected({ structuredOutputText }: Generated, { responseFormat }: Params): boolean {
  return structuredOutputText !== undefined && responseFormat?.type === 'json'
}

function judgedTexts(result: Generated, params: Params): readonly string[] {
  if (isSelected(result, params)) return [result.structuredOutputText ?? '']
  return result.content.filter(({ type }) => type === 'text').map((part) => textOf(part, 'text'))
}

/** The result with what the contract made of its text and calls; only the text when that is a fallback. */
function resultOf(outcome: Outcome, result: Generated | undefined, params: Params, usage: unknown): Generated {
  const given: Generated = result ?? { content: [], finishReason: { unified: 'stop', raw: undefined }, usage: undefined, warnings: [] }
  const content = contentOf(outcome, given, params)
  const { structuredOutputText, response, ...others } = given
  // The body has the answer as it was before repairs.
  const { body: _, ...head } = response ?? {}
  const isJudged = structuredOutputText !== undefined && !isSelected(given, params) && outcome.text.includes(structuredOutputText)
  const hadCalls = given.content.some(isClientCall)
  return {
    ...others,
    ...(response && { response: outcome.repairs.length > 0 ? head : response }),
    content,
    // Without it, all text of the content is parsed, which is the text that was judged.
    ...(isJudged && { structuredOutputText }),
    finishReason: finishWithCalls(given.finishReason, !hadCalls && outcome.toolCalls.length > 0),
    usage,
    providerMetadata: { ...shownMetadata(given.providerMetadata, outcome), stickler: runVerdict(outcome) },
  }
}

function contentOf({ text, toolCalls, repairs }: Outcome, given: Generated, params: Params): readonly Part[] {
  const last = given.content.findLast(({ type }) => type === 'text')
  const texts = distribute(judgedTexts(given, params), text, repairs).values()
  const calls = toolCalls.values()
  const content: Part[] = []
  for (const part of given.content) {
    if (part.type === 'text') {
      // Drafts before the text that is parsed were not judged.
      const isDraft = part !== last && isSelected(given, params)
      const next = isDraft ? '' : (texts.next().value ?? '')
      if (next === textOf(part, 'text')) content.push(part)
      else if (next !== '') content.push({ ...withoutOffsets(part), text: next })
    } else if (isClientCall(part)) {
      const { value: call } = calls.next()
      if (call) content.push(writeCall(call, part))
    } else content.push(part)
  }
  if (last === undefined && text !== '') content.push({ type: 'text', text })
  for (const call of calls) content.push(writeCall(call, undefined))
  return content
}
