import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** The terms of a document's chunks in few bytes: they are only read again when the document is removed. */
export function packTerms(terms: readonly string[]): Uint8Array {
  return deflateRawSync(terms.join('\n'), { level: 1 })
}

/** The terms of each chunk. */
export function unpackTerms(packed: Uint8Array): string[] {
  return inflateRawSync(packed).toString().split('\n')
}
