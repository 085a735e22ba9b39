import type { Contract, Outcome } from '@stickler/core'
import { isFields, reasoningSecrets } from '@stickler/core/internal'
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
