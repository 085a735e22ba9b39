import { isFields } from '@stickler/core/internal'
import type { Reason } from '../recording.ts'
import type { RecordFormat } from './format.ts'
import { answersIn, nameIn, requestFields, shared } from './free-form.ts'
import { responseFacts } from './response-objects.ts'

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
