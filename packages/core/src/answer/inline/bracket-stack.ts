/** A bracket that was open. */
export interface Opener {
  readonly image: boolean
  /** Whether brackets inside it may be a link, by a definition elsewhere. */
  readonly mayHoldLink: boolean
}

/** The brackets that are open: there are no links in links. */
export class BracketStack {
  readonly #images: boolean[] = []
  /** So many of the outer ones hold a link, or may hold one. */
  #holding = 0
  #mayHold = 0

  /** Opens a bracket. */
  open(image: boolean): void {
    this.#images.push(image)
  }

  /** Closes the innermost bracket; undefined when there is none that could be a link. */
  close(): Opener | undefined {
    const image = this.#images.pop()
    if (image === undefined) return undefined
    const depth = this.#images.length
    const opener = { image, mayHoldLink: !image && depth < this.#mayHold }
    const holdsLink = !image && depth < this.#holding
    this.#holding = Math.min(this.#holding, depth)
    this.#mayHold = Math.min(this.#mayHold, depth)
    return holdsLink ? undefined : opener
  }

  /** Notes that what was closed last is a link. */
  link(): void {
    this.#holding = this.#images.length
  }

  /** Notes that what was closed last is a link when a definition says so. */
  maybeLink(): void {
    this.#mayHold = this.#images.length
  }
}
