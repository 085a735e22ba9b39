import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decoded } from './file/columns.ts'
import { DamagedFile } from './file/unusable-file.ts'

/**
 * The terms of a document's chunks in few bytes: they are only read again when the document is
 * removed.
 */
export function packTerms(terms: readonly string[]): Uint8Array {
  return deflateRawSync(terms.join('\n'), { level: 1 })
}

/** The terms of each chunk. */
export function unpackTerms(packed: Uint8Array): string[] {
  return decoded(unpacked(packed)).split('\n')
}

function unpacked(packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed)
  } catch {
    throw new DamagedFile('the terms of a document cannot be read')
  }
}
