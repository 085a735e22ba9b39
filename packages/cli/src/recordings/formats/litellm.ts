import { type Fields, isFields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, requestFields, shared, unpacked, usageIn } from './free-form.ts'
import { answersOfResponse } from './response-objects.ts'

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
