import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { answersIn, nameIn, requestFields, shared, usageIn } from './free-form.ts'

const objects: ReadonlySet<unknown> = new Set(['chat.completion', 'response', 'text_completion'])

/** Whether a record is the response of a provider: of OpenAI by its `object`, of Anthropic and Gemini by what they always have. */
function isResponse({ object, type, role, content, candidates, usageMetadata, modelVersion }: Fields): boolean {
  if (object !== undefined) return objects.has(object)
  if (type === 'message') return role === 'assistant' && Array.isArray(content)
  return Array.isArray(candidates) && (usageMetadata ?? modelVersion) !== undefined
}

/** Whole responses of providers: chat completions, completions, Responses, messages of Anthropic, Gemini. */
export const responseObjects: RecordFormat = {
  name: 'response',
  title: 'response objects of OpenAI, Anthropic and Gemini',
  keys: 'object: chat.completion, response or text_completion; or type: message, role, content; or candidates',
  matches: isResponse,
  *read(record) {
    // A response repeats what its request offered, but not its input.
    const { input: _items, messages, prompt: _template, ...beside } = requestFields(record)
    const asked = Array.isArray(messages) ? { messages } : {}
    yield* shared(answersOfResponse(record), { id: nameIn(record.id), ...responseFacts(record), fields: { ...beside, ...asked } })
  },
}

/** The answers of a response: each of its choices. */
export function answersOfResponse(response: Fields): readonly (Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'>)[] {
  const { object, status, error, choices } = response
  if (object === 'response' && status === 'cancelled') return [{ reason: 'canceled' }]
  if (isFields(error) || status === 'failed') return [{ reason: 'error', detail: messageOf(error) }]
  if (object === 'response' && (status === 'queued' || status === 'in_progress')) return [{ reason: 'without text' }]
  if (object === 'text_completion' && Array.isArray(choices))
    return choices.length === 0 ? [{ reason: 'without text' }] : choices.map(completion)
  return answersIn(response)
}

function completion(choice: unknown): Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'> {
  if (!isFields(choice) || typeof choice.text !== 'string') return { reason: 'unreadable', detail: 'a choice has no text' }
  const { text, finish_reason: reason } = choice
  return { fields: { text, ...(typeof reason === 'string' ? { finish_reason: reason } : {}) } }
}

function messageOf(error: unknown): string {
  const message = isFields(error) ? error.message : undefined
  return typeof message === 'string' ? message.slice(0, 200) : 'the response failed'
}

/** The model and the tokens of a response. */
export function responseFacts(response: Fields): Pick<Found, 'model' | 'usage'> {
  return {
    model: nameIn(response.model) ?? nameIn(response.modelVersion),
    usage: usageIn(response.usage) ?? geminiUsage(response.usageMetadata),
  }
}

function geminiUsage(usage: unknown): Found['usage'] {
  if (!isFields(usage)) return undefined
  return usageIn({ input: usage.promptTokenCount, output: usage.candidatesTokenCount })
}
