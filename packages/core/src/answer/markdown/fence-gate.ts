import type { Line } from '../lines.ts'
import { closesFence, type FenceOpening, readFenceOpening } from './fence.ts'
import { isBlank } from './front-matter-gate.ts'
import { visibleFrom } from './list-marker.ts'

/** Collects the lines behind a bare fence in a document until they prove to be a block in it, or the fence to be the document's end. */
export class FenceGate {
  readonly lines: Line[]
  readonly #fence: Pick<FenceOpening, 'char' | 'length'>

  constructor(opening: Line, fence: Pick<FenceOpening, 'char' | 'length'>) {
    this.lines = [opening]
    this.#fence = fence
  }

  /** Where the bare fence stands. */
  get start(): number {
    return this.lines[0]?.start ?? 0
  }

  /** Takes the next line: the one that closes the block is part of it, the one that refutes it is not. */
  take(line: Line): 'pending' | 'block' | 'refuted' {
    const { text } = line
    const previous = this.lines.at(-1)?.text ?? ''
    if (this.lines.length === 1 && isBlank(text)) return 'refuted'
    const at = visibleFrom(text, 0)
    if (closesFence(text, at, this.#fence)) {
      if (leadsToFence(previous) || this.lines.length === 1) return 'refuted'
      this.lines.push(line)
      return 'block'
    }
    const opening = readFenceOpening(text, at)
    if (opening?.char === this.#fence.char && opening.length >= this.#fence.length) return 'refuted'
    this.lines.push(line)
    return 'pending'
  }
}

/** Tells whether a block may well begin behind a line: it is blank, a heading, or ends with a colon. */
export function leadsToFence(line: string): boolean {
  return isBlank(line) || endsWithColon(line) || /^ {0,3}#{1,6}[ \t]/.test(line)
}

/** Tells whether a line ends with a colon. */
export function endsWithColon(text: string): boolean {
  let end = text.length
  while (end > 0 && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 9)) end--
  return text.charCodeAt(end - 1) === 58
}
