import { createHash } from 'node:crypto'
import type { Recording } from './recording.ts'

/** More ids are not remembered, so that memory stays bounded. */
const most = 2 ** 22

/** Tells answers with the same id apart: only the same answer to the same prompt is a duplicate. */
export class DistinctAnswers {
  /** By id, the digest of what came first under it. */
  readonly #first = new Map<string, string>()
  /** Digests of what came under an id that was taken. */
  readonly #further = new Set<string>()

  /** The answer under an id that no earlier one has: its own, or `<id>#2` and so on in the order of the records; undefined for a duplicate. */
  add(one: Recording): Recording | undefined {
    const { id } = one
    const digest = digestOf(one)
    const first = this.#first.get(id)
    if (digest !== '' && (digest === first || this.#further.has(digest))) return undefined
    const own = first === undefined ? id : this.#freeId(id)
    if (first !== undefined) this.#further.add(digest)
    if (this.#first.size < most) this.#first.set(own, digest)
    return first === undefined ? one : { ...one, id: own }
  }

  /** Numbers are given without gaps, so that the first free one is found in few steps however often an id is repeated. */
  #freeId(id: string): string {
    const isTaken = (number: number): boolean => this.#first.has(`${id}#${number}`)
    let above = 2
    while (isTaken(above)) above *= 2
    let below = above / 2
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2)
      if (isTaken(middle)) below = middle
      else above = middle
    }
    return `${id}#${above}`
  }
}

/** What makes a second record the same one; empty if it is nested too deep to be written, so that it is judged. */
function digestOf({ id, fields, model, label, contract }: Recording): string {
  try {
    const written = JSON.stringify([id, fields, model, label, contract])
    return createHash('sha256').update(written).digest().toString('base64url', 0, 8)
  } catch {
    return ''
  }
}
