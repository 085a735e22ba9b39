import { type Fields, isFields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, requestFields, shared, unpacked, usageIn } from './free-form.ts'
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

/** Calls of LiteLLM whose response is not an answer. */
const others = /embedding|image|moderation|transcription|speech|rerank|search|file|batch|vector_store|ocr|video/
/** What LiteLLM writes in place of a text that it must not log. */
const redacted = 'redacted-by-litellm'

/** The logs of LiteLLM: rows of spend logs, and what its callbacks get. */
export const litellm: RecordFormat = {
  name: 'litellm',
  title: 'LiteLLM spend logs and StandardLoggingPayload',
  keys: 'request_id, call_type; or id, call_type, model_map_information',
  matches: ({ request_id: request, call_type: type, id, model_map_information: map }) =>
    typeof type === 'string' && (typeof request === 'string' || (typeof id === 'string' && map !== undefined)),
  *read(record) {
    const id = nameIn(record.request_id) ?? nameIn(record.id)
    const type = String(record.call_type)
    if (others.test(type)) return yield { id, reason: 'not a generation' }
    if (record.status === 'failure') return yield { id, reason: 'error', detail: String(record.error_str ?? '').slice(0, 200) }
    const response = unpacked(record.response)
    if (!isKept(response)) return yield { id, reason: 'text not kept' }
    const messages = unpacked(record.messages)
    const given = unpacked(record.proxy_server_request)
    const parameters = isFields(record.model_parameters) ? record.model_parameters : {}
    yield* shared(isFields(response) ? answersOfResponse(response) : answersIn(response), {
      id,
      model: nameIn(record.model) ?? nameIn(record.model_group),
      usage: usageIn(record, record.response_cost ?? record.spend),
      fields: {
        ...requestFields(parameters),
        ...requestFields(isFields(given) ? (given.body ?? given) : given),
        ...askedFields(emptyToNothing(messages)),
      },
    })
  },
}

/** Prompts are not stored by default: then the response is empty. */
function isKept(response: unknown): boolean {
  if (response === undefined || response === null || response === '') return false
  if (Array.isArray(response)) return response.length > 0
  if (typeof response === 'string') return response !== redacted
  return isFields(response) && Object.keys(response).length > 0 && !isRedacted(response)
}

function isRedacted({ choices }: Fields): boolean {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  return isFields(choice) && isFields(choice.message) && choice.message.content === redacted
}

function emptyToNothing(messages: unknown): unknown {
  return messages === '' || messages === redacted ? undefined : messages
}
