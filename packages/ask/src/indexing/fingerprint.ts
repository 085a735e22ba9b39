import { createHash } from 'node:crypto'

/** What determines how a document is indexed, beside its text. */
export interface FingerprintInputs {
  readonly chunking: number
  readonly terms: number
  /** Name of the embedder; absent without vectors. */
  readonly embedding: string | undefined
}

/** Identifies a document as it is indexed: 32 hexadecimal digits. */
export function fingerprintOf(text: string, { chunking, terms, embedding = '' }: FingerprintInputs): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([chunking, terms, embedding]))
    .update('\n')
    .update(text)
  return hash.digest('hex').slice(0, 32)
}
