import { createHash } from 'node:crypto'

/** More ids are not remembered, so that memory stays bounded: 16 bytes for each. */
const most = 8 * 1024 * 1024

/** Remembers ids by 64 bits of their hash, compactly: recordings have millions of them. */
export class SeenIds {
  #slots = new BigUint64Array(1024)
  #size = 0

  /** Whether the id was added before. */
  has(id: string): boolean {
    const hash = hashOf(id)
    return this.#slots[find(this.#slots, hash)] === hash
  }

  /** Whether the id was added before; adds it. */
  add(id: string): boolean {
    const hash = hashOf(id)
    const at = find(this.#slots, hash)
    if (this.#slots[at] === hash) return true
    if (this.#size >= most) return false
    this.#slots[at] = hash
    this.#size++
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return false
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2)
    for (const hash of this.#slots) if (hash !== 0n) larger[find(larger, hash)] = hash
    this.#slots = larger
  }
}

function hashOf(id: string): bigint {
  // Zero marks a free slot.
  return createHash('sha256').update(id).digest().readBigUInt64LE(0) || 1n
}

/** The slot of a hash, or the free one where it belongs. */
function find(slots: BigUint64Array, hash: bigint): number {
  const mask = slots.length - 1
  let at = Number(hash & BigInt(mask))
  while (slots[at] !== 0n && slots[at] !== hash) at = (at + 1) & mask
  return at
}
