import { type Fields, isFields } from '@stickler/core/internal'
import type { Reason } from '../recording.ts'
import type { Missing, RecordFormat } from './format.ts'
import { answersIn, nameIn, requestFields, shared } from './free-form.ts'
import { answersOfResponse, responseFacts } from './response-objects.ts'

/** The output and error files of OpenAI's Batch API, which other providers write too. */
export const openaiBatch: RecordFormat = {
  name: 'openai-batch',
  title: 'OpenAI batch output',
  keys: 'custom_id, response.status_code (or error)',
  matches: ({ custom_id: id, response, error }) =>
    typeof id === 'string' && (isFields(response) ? typeof response.status_code === 'number' : response === null && isFields(error)),
  *read({ custom_id: custom, response, error }, requests) {
    const id = nameIn(custom)
    const status = isFields(response) && typeof response.status_code === 'number' ? response.status_code : 0
    if (isFields(error)) return yield { id, ...failureOf(error) }
    if (!isFields(response) || status >= 400) return yield { id, reason: 'error', detail: `the provider answered ${status}` }
    const { body } = response
    if (!isFields(body)) return yield { id, reason: 'without text' }
    if (body.object === 'list' && Array.isArray(body.data)) return yield { id, reason: 'not a generation' }
    const request = id === undefined ? undefined : requests?.find(id)
    yield* shared(answersOfResponse(body), { ...responseFacts(body), id, fields: requestFields(request) })
  },
}

function failureOf({ code, message }: Fields): Pick<Missing, 'reason' | 'detail'> {
  if (code === 'batch_expired') return { reason: 'expired' }
  if (code === 'batch_cancelled') return { reason: 'canceled' }
  return { reason: 'error', detail: typeof message === 'string' ? message.slice(0, 200) : String(code).slice(0, 80) }
}

/** The input file of a batch, which somebody took for its output. */
export const batchRequests: RecordFormat = {
  name: 'batch-requests',
  title: 'requests of a batch',
  keys: 'custom_id, and method with body, or params',
  matches: ({ custom_id: id, method, body, params }) =>
    typeof id === 'string' && ((typeof method === 'string' && isFields(body)) || isFields(params)),
  refusal: 'these are requests, not answers; give the output of the batch, and this file with --requests',
  read: () => [],
}

const ends: ReadonlyMap<unknown, Reason> = new Map<unknown, Reason>([
  ['errored', 'error'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
])

/** The results of Anthropic's Message Batches. */
export const anthropicBatch: RecordFormat = {
  name: 'anthropic-batch',
  title: 'Anthropic Message Batches',
  keys: 'custom_id, result.type',
  matches: ({ custom_id: id, result }) =>
    typeof id === 'string' && isFields(result) && (result.type === 'succeeded' || ends.has(result.type)),
  *read({ custom_id: custom, result }, requests) {
    const id = nameIn(custom)
    const { type, message } = isFields(result) ? result : {}
    const reason = ends.get(type)
    if (reason !== undefined) return yield { id, reason }
    if (!isFields(message)) return yield { id, reason: 'without text' }
    const request = id === undefined ? undefined : requests?.find(id)
    yield* shared(answersIn(message), { ...responseFacts(message), id, fields: requestFields(request) })
  },
}
