/** Pairs log probabilities of tokens with their text. */
export class LogprobQueue {
  readonly #waiting: { readonly entry: unknown; readonly length: number }[] = []

  /** Takes what a provider sent: `{ content: [{ token, … }] }`. */
  push(logprobs: unknown): void {
    const { content } = (typeof logprobs === 'object' && logprobs !== null ? logprobs : {}) as { readonly content?: unknown }
    if (!Array.isArray(content)) return
    for (const entry of content as unknown[]) {
      const { token } = (typeof entry === 'object' && entry !== null ? entry : {}) as { readonly token?: unknown }
      this.#waiting.push({ entry, length: typeof token === 'string' ? token.length : 0 })
    }
  }

  /** The entries of the next `length` characters; undefined when there are none. */
  take(length: number): { readonly content: readonly unknown[] } | undefined {
    let left = length
    let count = 0
    for (const { length: size } of this.#waiting) {
      if (size > left) break
      left -= size
      count++
    }
    if (count === 0) return undefined
    return { content: this.#waiting.splice(0, count).map(({ entry }) => entry) }
  }
}
