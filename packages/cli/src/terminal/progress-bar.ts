import type { Output } from './output.ts'

/** Short work shows no bar, and redraws are limited to what the eye can follow. */
const patienceMs = 400
const frameMs = 100

/** Shows on a terminal how much of a long input has been read; silent elsewhere. */
export class ProgressBar {
  readonly #output: Output
  readonly #now: () => number
  readonly #total: number | undefined
  readonly #started: number
  readonly #unit: 'bytes' | 'files'
  #drawn = Number.NEGATIVE_INFINITY
  #visible = false

  /** With a total, `update` counts its unit; without, lines. */
  constructor(output: Output, now: () => number, total: number | undefined, unit: 'bytes' | 'files' = 'bytes') {
    this.#unit = unit
    this.#output = output
    this.#now = now
    this.#total = total
    this.#started = now()
  }

  /** Updates the progress. */
  update(done: number, lines: number): void {
    const now = this.#now()
    if (!this.#output.isTerminal || now - this.#started < patienceMs || now - this.#drawn < frameMs) return
    this.#drawn = now
    this.#visible = true
    this.#output.say(`\r\u001b[K${this.#render(done, lines)}`)
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#visible) this.#output.say('\r\u001b[K')
    this.#visible = false
  }

  #render(done: number, lines: number): string {
    if (this.#total === undefined || this.#total === 0) return `${lines} lines`
    const share = Math.min(1, done / this.#total)
    const of = this.#unit === 'files' ? `${done} of ${this.#total} files` : `${megabytes(done)} of ${megabytes(this.#total)} MB`
    const figures = ` ${Math.floor(share * 100)} %  ${of}`
    const width = Math.max(0, Math.min(40, this.#output.columns - figures.length - 3))
    const filled = Math.round(share * width)
    return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]${figures}`
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
