import { estimateTokensOfBytes, utf8Length } from '@stickler/core/runners'
import type { AskSource } from '../reply/envelope.ts'
import { type AskRefused, limitReply } from '../reply/reply.ts'
import { type CostLimits, freshDay, guardCost } from '../spending/cost-guard.ts'

/** The rejection of too many sources, which only needs their number. */
export function tooManySources(count: number, { sources }: Pick<CostLimits, 'sources'>): AskRefused | undefined {
  if (count <= sources) return undefined
  return { ok: false, status: 413, error: `${count} sources exceed max_sources=${sources}`, limit: 'max_sources', param: 'sources' }
}

/** The rejection of one source that is too large. */
export function sourceTooLarge(index: number, { sourceBytes }: Pick<CostLimits, 'sourceBytes'>): AskRefused {
  const param = `sources[${index}].payload`
  return { ok: false, status: 413, error: `${param} exceeds max_source_bytes=${sourceBytes}`, limit: 'max_source_bytes', param }
}

/**
 * The excess of a question, before any of it is hashed or put into a prompt; stops counting at the
 * first one.
 */
export function inputExcess(question: string, sources: readonly AskSource[], limits: CostLimits): AskRefused | undefined {
  const many = tooManySources(sources.length, limits)
  if (many !== undefined) return many
  let sourcesBytes = 0
  for (const [index, { payload }] of sources.entries()) {
    // A text has at least as many bytes as units, so a huge one need not be counted.
    const bytes = payload.length > limits.sourceBytes ? payload.length : utf8Length(payload)
    if (bytes > limits.sourceBytes) return sourceTooLarge(index, limits)
    sourcesBytes += bytes
    if (sourcesBytes > limits.sourcesBytes + limits.promptTokens * 4) break
  }
  // The prompt holds all of it, and more.
  const promptTokens = estimateTokensOfBytes(utf8Length(question) + sourcesBytes)
  const verdict = guardCost({ promptTokens, completionTokens: 0, sourcesBytes, elapsedMs: 0 }, freshDay(0), limits, 0)
  return verdict.allowed ? undefined : limitReply(verdict)
}
