import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { tokenCounts } from '../../reply/token-counts.ts'
import { replyMembers } from '../../reply/verdict-body.ts'
import type { FinalReply } from '../../shared/api.ts'

/**
 * The usage of a message, where clients need numbers: zeros when none was reported; cache reads and
 * writes are not part of `input_tokens`.
 */
export function messagesUsage(reply: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields {
  const { prompt, completion, cacheRead, cacheWrite } = tokenCounts(reply)
  return {
    input_tokens: Math.max(0, prompt - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: completion,
  }
}

/** The verdict in a message; its `stickler` also says when the usage numbers are placeholders. */
export function messagesVerdict(reply: FinalReply): Fields {
  const members = replyMembers(reply)
  const { stickler } = members
  return reply.usage === undefined && !Array.isArray(stickler) ? { ...members, stickler: { ...stickler, usage: 'unknown' } } : members
}
