import { createHash } from 'node:crypto'
import type { ParserUnavailable, SyntaxVerdict } from '@stickler/core/syntax'

/** What is known of one snippet. */
export type Known = { readonly verdict: SyntaxVerdict } | { readonly failure: ParserUnavailable; readonly failures: number }

/** Enough for the blocks of the answers that are being judged: streams are judged as they come, and once more as a whole. */
const most = 256

/** Remembers the verdicts on the last snippets by their digest, so that no source code is kept. */
export class VerdictMemo {
  readonly #known = new Map<string, Known>()

  keyOf(language: string, source: string): string {
    // In UTF-8, different halves of surrogate pairs would be the same.
    return createHash('sha256').update(`${language}\n`, 'utf16le').update(source, 'utf16le').digest('base64')
  }

  get(key: string): Known | undefined {
    return this.#known.get(key)
  }

  set(key: string, known: Known): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    const oldest = this.#known.size > most ? this.#known.keys().next() : undefined
    if (oldest?.value !== undefined) this.#known.delete(oldest.value)
  }
}
