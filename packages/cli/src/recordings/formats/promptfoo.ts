import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, shared, unpacked, usageIn } from './free-form.ts'

/** What `failureReason` is when a call failed, not an assertion. */
const errorReason = 2

const isResult = (record: Fields): boolean => Number.isInteger(record.promptIdx) && Number.isInteger(record.testIdx)
const isSummary = ({ results }: Fields): boolean => isFields(results) && results.version === 3 && Array.isArray(results.results)

/** The results of promptfoo: one file of version 3, or its lines. */
export const promptfoo: RecordFormat = {
  name: 'promptfoo',
  title: 'promptfoo results, version 3',
  keys: 'results.version: 3; or promptIdx, testIdx',
  matches: (record) => isSummary(record) || isResult(record),
  *read(record) {
    if (!isSummary(record)) return yield* readResult(record, undefined)
    const { results } = record.results as Fields
    for (const result of results as readonly unknown[]) {
      if (isFields(result)) yield* readResult(result, nameIn(record.evalId))
      else yield { reason: 'unreadable', detail: 'a result is not an object' }
    }
  },
}

function* readResult(result: Fields, evaluation: string | undefined): Generator<Found | Missing> {
  const { promptIdx, testIdx, prompt, response, success, failureReason, error, provider, cost } = result
  const place = `${String(testIdx)}/${String(promptIdx)}`
  const id = nameIn(result.id) ?? (evaluation === undefined ? place : `${evaluation}/${place}`)
  const output = isFields(response) ? (response.output ?? undefined) : undefined
  const failed = isFields(response) && nameIn(response.error) !== undefined
  if (failureReason === errorReason || failed || (output === undefined && nameIn(error) !== undefined))
    return yield { id, reason: 'error', detail: String(nameIn(error) ?? 'the call failed').slice(0, 200) }
  const { raw, tokenUsage, finishReason } = isFields(response) ? response : {}
  // JSON is parsed by some providers, so that the text is only in the raw response.
  const answers = answersIn(typeof output === 'string' ? output : (unpacked(raw) ?? output))
  yield* shared(answers, {
    id,
    model: isFields(provider) ? nameIn(provider.id) : nameIn(provider),
    usage: usageIn(tokenUsage, cost),
    label: success === true ? 'good' : success === false ? 'bad' : undefined,
    fields: {
      ...askedFields(isFields(prompt) ? messagesIn(prompt.raw) : undefined),
      ...(typeof finishReason === 'string' ? { finish_reason: finishReason } : {}),
    },
  })
}

/** A prompt that is a list of messages is written as JSON. */
function messagesIn(raw: unknown): unknown {
  const read = unpacked(raw)
  return Array.isArray(read) ? read : raw
}
