import { sha256Hex } from '../../sha256.ts'

/** Caches the vectors of the most recently used texts. */
export class VectorCache {
  readonly #vectors = new Map<string, Float32Array>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** The key of a text: its hash, so that long texts take no more room. */
  key(text: string): Promise<string> {
    return sha256Hex(text)
  }

  get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key)
    if (vector !== undefined) this.set(key, vector)
    return vector
  }

  clear(): void {
    this.#vectors.clear()
  }

  set(key: string, vector: Float32Array): void {
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
    if (this.#vectors.size <= this.#most) return
    const [oldest] = this.#vectors.keys()
    if (oldest !== undefined) this.#vectors.delete(oldest)
  }
}
