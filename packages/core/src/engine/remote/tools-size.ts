/** Sizes of what clients offer, each found once: a request may be judged several times. */
export class ToolsSizes {
  readonly #known = new WeakMap<object, number>()

  /** The approximate size of the largest tool as JSON, in characters; 0 without tools. */
  largest(tools: unknown): number {
    if (typeof tools !== 'object' || tools === null) return 0
    const known = this.#known.get(tools)
    if (known !== undefined) return known
    let size = 0
    for (const tool of Object.values(tools)) size = Math.max(size, sizeOf(tool))
    this.#known.set(tools, size)
    return size
  }
}

/** Who asks only wants to know what is large. */
const enough = 1_000_000

function sizeOf(value: unknown): number {
  const open: unknown[] = [value]
  let size = 0
  while (open.length > 0 && size < enough) {
    const next = open.pop()
    if (typeof next === 'string') size += next.length + 3
    else if (typeof next !== 'object' || next === null) size += 4
    else if (Array.isArray(next)) {
      size += 2
      for (const inner of next) open.push(inner)
    } else {
      size += 2
      for (const key in next) {
        size += key.length + 4
        open.push((next as Record<string, unknown>)[key])
      }
    }
  }
  return size
}
