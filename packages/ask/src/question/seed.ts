import { sha256 } from '../sha256.ts'

/** The seed of a question over given sources: the first 8 bytes, little endian, of a SHA-256, as unsigned 64 bits. */
export async function deriveSeed(question: string, fingerprint: string): Promise<bigint> {
  return new DataView((await sha256(`${question}\x1f${fingerprint}`)).buffer).getBigUint64(0, true)
}
