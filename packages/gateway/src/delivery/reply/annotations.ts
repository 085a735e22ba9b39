import type { Declarations, Outcome } from '@stickler/core'
import { isWebAddress } from './sound-links.ts'

/** A valid citation, in the format of chat completions. */
export interface UrlCitation {
  readonly type: 'url_citation'
  readonly url_citation: { readonly start_index: number; readonly end_index: number; readonly url: string; readonly title: string }
}

/** The citations of an answer whose sources have an address, where a fact is declared to list them. */
export function annotationsOf(
  { facts }: Pick<Outcome, 'facts'>,
  declared: Declarations | undefined,
  sources: unknown,
): readonly UrlCitation[] {
  const from = declared?.citations
  const found: unknown = from && facts[from.validator]?.[from.fact]
  if (!Array.isArray(found) || !Array.isArray(sources)) return []
  return found.flatMap((citation: unknown) => {
    const { span, sourceIndex } = citation as { readonly span: { start: number; end: number }; readonly sourceIndex: number }
    const source: unknown = sources[sourceIndex]
    if (typeof source !== 'object' || source === null) return []
    const { url, title } = source as { readonly url?: unknown; readonly title?: unknown }
    if (typeof url !== 'string' || !isWebAddress(url)) return []
    const named = typeof title === 'string' ? title : url
    return [{ type: 'url_citation' as const, url_citation: { start_index: span.start, end_index: span.end, url, title: named } }]
  })
}
