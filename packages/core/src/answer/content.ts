import { type Fields, field, isFields, textField } from './tool-shapes/fields.ts'

/** The text of `content`, which is a string, a list of parts, or null. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(partText).join('')
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const text = field(part, 'text')
  // What the model thought is marked by Gemini, and has a type in the AI SDK.
  return typeof text === 'string' && field(part, 'thought') !== true && field(part, 'type') !== 'reasoning' ? text : ''
}

/** The text of a refusal, from beside the content or among its parts. */
export function refusalText({ content, refusal, additional_kwargs: kwargs }: Fields): string {
  if (typeof refusal === 'string' && refusal !== '') return refusal
  // LangChain keeps there what its messages have no field for.
  const kept = textField(kwargs, 'refusal')
  if (kept !== '') return kept
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => field(part, 'refusal'))
    .filter((one) => typeof one === 'string')
    .join('')
}

/** The text of a refusal in the reply of a provider, or in an event of its stream, as clients leave it where they drop refusals: of chat completions or responses. */
export function refusalIn(reply: unknown): string {
  if (!isFields(reply)) return ''
  const { type, choices, output, delta } = reply
  if (type === 'response.refusal.delta' && typeof delta === 'string') return delta
  const [first] = Array.isArray(choices) ? choices : []
  const messages = [field(first, 'message'), field(first, 'delta'), ...(Array.isArray(output) ? output : [])]
  return messages.filter(isFields).map(refusalText).join('')
}

/** What a message holds that no validator can read: audio, whose transcript is not the text of the answer. */
export function unreadOf({ audio, content }: Fields): string | undefined {
  const isSpoken = isFields(audio) || (Array.isArray(content) && content.some((part) => isFields(part) && isAudioPart(part)))
  return isSpoken ? 'audio' : undefined
}

function isAudioPart({ type, audio }: Fields): boolean {
  return isFields(audio) || (typeof type === 'string' && type.endsWith('audio'))
}
