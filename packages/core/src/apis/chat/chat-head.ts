import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Usage } from '../../engine/runner.ts'
import type { EventNames } from '../shared/event-weight.ts'
import { otherFields } from '../shared/selected-fields.ts'
import type { WireHead } from '../shared/wire.ts'
import { readUsage } from './chat-usage.ts'

/** Fields that are read elsewhere; some clients would take text beside the choices for the answer. */
const own = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'content', 'message', 'delta', 'text'])

/** Field names in chunks that are not counted. */
export const eventNames: EventNames = {
  framing: new Set(['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier', 'obfuscation', 'provider', 'usage']),
  usual: new Set(['choices', 'index', 'finish_reason', 'delta', 'role', 'type', 'content', 'text', 'reasoning_content', 'logprobs']),
}

/** The fields of a completion or a chunk besides its choices. */
export function chatHead(reply: Fields): WireHead {
  const { id, created, model, usage } = reply
  const head: { -readonly [Key in keyof WireHead]: WireHead[Key] } = {}
  if (typeof id === 'string' && id !== '') head.id = id
  if (typeof created === 'number') head.created = created
  if (typeof model === 'string' && model !== '') head.model = model
  if (isFields(usage)) {
    head.rawUsage = usage
    const counts = usageOf(usage)
    if (counts !== undefined) head.usage = counts
  }
  const fields = otherFields(reply, own)
  if (fields !== undefined) head.fields = fields
  return head
}

/** Some providers, such as OpenRouter, also report the cost of the call. */
function usageOf(usage: Fields): Usage | undefined {
  const counts = readUsage(usage, undefined)
  const { cost } = usage
  const isCost = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
  return counts === undefined || !isCost ? counts : { ...counts, cost }
}
