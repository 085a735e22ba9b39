import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { readUsage } from '../chat/chat-usage.ts'
import type { FinalReply } from '../shared/api.ts'
import { tokenCounts } from '../shared/usage.ts'
import type { WireHead } from '../shared/wire.ts'

/** The fields of a response besides its output. */
export function responseHead({ id, created_at: created, model, usage }: Fields): WireHead {
  const head: { -readonly [Key in keyof WireHead]: WireHead[Key] } = {}
  if (typeof id === 'string' && id !== '') head.id = id
  if (typeof created === 'number') head.created = created
  if (typeof model === 'string' && model !== '') head.model = model
  if (!isFields(usage)) return head
  head.rawUsage = usage
  const counts = readUsage(chatUsage(usage), undefined)
  return counts === undefined ? head : { ...head, usage: counts }
}

/** Usage of the Responses API in the format of chat completions; other values unchanged. */
export function chatUsage(usage: Fields): Fields {
  const { input_tokens: prompt, output_tokens: completion, ...rest } = usage
  if (prompt === undefined && completion === undefined) return usage
  const { input_tokens_details: read, output_tokens_details: written, ...others } = rest
  return {
    ...others,
    prompt_tokens: prompt,
    completion_tokens: completion,
    ...(read === undefined ? {} : { prompt_tokens_details: read }),
    ...(written === undefined ? {} : { completion_tokens_details: written }),
  }
}

/** The usage of a response; null when none was reported. */
export function responseUsage(reply: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields | null {
  if (reply.usage === undefined && reply.rawUsage === undefined) return null
  const { prompt, completion, cacheRead, reasoning } = tokenCounts(reply)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + completion,
  }
}
