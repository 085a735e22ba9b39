import type { Usage } from '@stickler/core'
import { readUsage } from '@stickler/core/runners'
import { noUsage } from '../enforcement/run-log.ts'

/** A reply that is longer is not kept to be read. */
const longestRead = 4 * 1024 * 1024

/** Finds in a reply that is passed on what it used, so that it counts against a budget. */
export class UsageSpotter {
  readonly #isJson: boolean
  #pieces: Uint8Array[] = []
  #size = 0

  constructor(contentType: string) {
    this.#isJson = /json/i.test(contentType)
  }

  /** Takes the next piece of the reply. */
  take(piece: Uint8Array): void {
    this.#size += piece.length
    // Of a stream the usage stands at the end.
    while (!this.#isJson && this.#size > longestRead && this.#pieces.length > 1) this.#size -= this.#pieces.shift()?.length ?? 0
    if (this.#size <= longestRead) this.#pieces.push(piece)
    else this.#pieces = []
  }

  /** What the reply says that it used; nothing when it does not say. */
  usage(): Usage {
    const text = Buffer.concat(this.#pieces).toString('utf8')
    if (this.#isJson) return usageIn(text) ?? noUsage
    const last = text.split('\n').findLast((line) => line.startsWith('data:') && line.includes('"usage":{'))
    return usageIn(last?.slice('data:'.length) ?? '') ?? noUsage
  }
}

function usageIn(text: string): Usage | undefined {
  try {
    return readUsage((JSON.parse(text) as { readonly usage?: unknown }).usage, undefined)
  } catch {
    return undefined
  }
}
