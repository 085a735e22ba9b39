import type { Recording } from './recording.ts'
import { SeenIds } from './seen-ids.ts'

/** Tells answers with the same id apart: only the same answer to the same prompt is a duplicate. */
export class DistinctAnswers {
  readonly #ids = new SeenIds()
  readonly #answers = new SeenIds()

  /** The answer under an id that no earlier one has: its own, or `<id>#2` and so on in the order of the records; undefined for a duplicate. */
  add(one: Recording): Recording | undefined {
    const { id } = one
    const content = contentOf(one)
    if (content !== undefined && this.#answers.add(content)) return undefined
    if (!this.#ids.add(id)) return one
    const own = this.#freeId(id)
    this.#ids.add(own)
    return { ...one, id: own }
  }

  /** Numbers are given without gaps, so that the first free one is found in few steps however often an id is repeated. */
  #freeId(id: string): string {
    const isTaken = (number: number): boolean => this.#ids.has(`${id}#${number}`)
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

/** What makes a second record the same one; undefined if it is nested too deep to be written, so that it is judged. */
function contentOf({ id, fields, model, label, contract }: Recording): string | undefined {
  try {
    return JSON.stringify([id, fields, model, label, contract])
  } catch {
    return undefined
  }
}
