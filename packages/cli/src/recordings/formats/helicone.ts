import { isFields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
import { nameIn, requestFields, shared, unpacked, usageIn } from './free-form.ts'
import { answersOfResponse, responseFacts } from './response-objects.ts'

const isEmpty = (body: unknown): boolean =>
  body === undefined || body === null || body === '' || (isFields(body) && Object.keys(body).length === 0)

/** The requests of Helicone. */
export const helicone: RecordFormat = {
  name: 'helicone',
  title: 'Helicone requests',
  keys: 'request_id, and response_body or signed_body_url',
  matches: (record) =>
    typeof record.request_id === 'string' && (Object.hasOwn(record, 'response_body') || typeof record.signed_body_url === 'string'),
  *read(record) {
    const id = nameIn(record.request_id)
    const status = record.response_status
    if (typeof status === 'number' && (status >= 400 || status < 0))
      return yield { id, reason: 'error', detail: `the provider answered ${status}` }
    const body = unpacked(record.response_body)
    if (isEmpty(body)) return yield { id, reason: typeof record.signed_body_url === 'string' ? 'body not exported' : 'without text' }
    if (!isFields(body)) return yield { id, reason: 'unreadable', detail: 'response_body is not an object' }
    const facts = responseFacts(body)
    yield* shared(answersOfResponse(body), {
      id,
      model: facts.model ?? nameIn(record.response_model) ?? nameIn(record.request_model) ?? nameIn(record.model),
      usage: usageIn(record, record.cost ?? record.costUSD) ?? facts.usage,
      fields: requestFields(unpacked(record.request_body)),
    })
  },
}
