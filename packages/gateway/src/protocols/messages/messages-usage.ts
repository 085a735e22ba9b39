import type { Fields } from '../fields.ts'
import type { FinalReply } from '../protocol.ts'
import { tokenCounts } from '../token-counts.ts'

/** The usage of a message; what came from a cache or went there is no part of `input_tokens`. */
export function messagesUsage(reply: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields {
  const { prompt, completion, cacheRead, cacheWrite } = tokenCounts(reply)
  return {
    input_tokens: Math.max(0, prompt - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: completion,
  }
}
