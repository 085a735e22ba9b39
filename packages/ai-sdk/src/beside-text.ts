import type { Contract, Outcome } from '@stickler/core'
import { isFields } from '@stickler/core/internal'
import { reasoningSecrets } from '@stickler/core/internal/relay'
import type { Part } from './model.ts'

/** Takes out of reasoning what the contract takes out of text. */
export function reasoningSearch(contract: Contract): (part: Part) => Part {
  const secrets = reasoningSecrets({ contractName: 'ai-sdk', contract })
  return (part) => {
    const { type, text, delta } = part
    if (secrets === undefined || (type !== 'reasoning' && type !== 'reasoning-delta')) return part
    // What else a part has is compared by its provider, such as signatures.
    const said = { type, ...(text !== undefined && { text }), ...(delta !== undefined && { delta }) }
    const shown = secrets.without(said)
    return shown === said ? part : { ...part, ...shown }
  }
}

/** Metadata of providers as it is delivered: after a repair, log probabilities would repeat the text as it was. */
export function shownMetadata(metadata: unknown, { repairs }: Outcome): object {
  if (!isFields(metadata)) return {}
  if (repairs.length === 0) return metadata
  const entries = Object.entries(metadata).map(([provider, fields]) => {
    if (!isFields(fields)) return [provider, fields]
    const { logprobs: _, ...others } = fields
    return [provider, others]
  })
  return Object.fromEntries(entries) as object
}

/** A text, or the end of one, after its text has changed: citations keep their sources, but no offsets into what is no longer there. */
export function withoutOffsets(part: Part): Part {
  if (!Array.isArray(part.citations)) return part
  const placeless = (citation: unknown): unknown => {
    if (!isFields(citation)) return citation
    const { startIndex: _start, endIndex: _end, ...source } = citation
    return source
  }
  return { ...part, citations: part.citations.map(placeless) }
}
