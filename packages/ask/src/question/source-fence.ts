import { escapeMarkup } from '@stickler/core/internal'
import type { AskSource } from '../reply/envelope.ts'

/** Writes a source as one element whose text cannot open or close a tag or an attribute. */
export function fenceSource(number: number, { urn, payload }: Pick<AskSource, 'urn' | 'payload'>): string {
  const name = urn.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
  const data = payload.replace(/[^\P{Cc}\t\n\r]|\p{Cs}/gu, '\ufffd')
  return `<source id="${number}" urn="${escapeMarkup(name)}">${escapeMarkup(data)}</source>`
}

/** Writes sources one per line, counted from 1. */
export function fenceSources(sources: readonly Pick<AskSource, 'urn' | 'payload'>[]): string {
  return sources.map((source, index) => fenceSource(index + 1, source)).join('\n')
}
