import type { AskSource } from '../reply/envelope.ts'

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Writes a source as one element whose text cannot open or close a tag or an attribute. */
export function fenceSource(number: number, { urn, payload }: Pick<AskSource, 'urn' | 'payload'>): string {
  const name = urn.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
  const data = payload.replace(/[^\P{Cc}\t\n\r]|\p{Cs}/gu, '\ufffd')
  return `<source id="${number}" urn="${escapeMarkup(name)}">${escapeMarkup(data)}</source>`
}

/** Writes sources below each other, counted from 1. */
export function fenceSources(sources: readonly Pick<AskSource, 'urn' | 'payload'>[]): string {
  return sources.map((source, index) => fenceSource(index + 1, source)).join('\n')
}

/** Writes a text so that it cannot open or close a tag or an attribute. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? '')
}
