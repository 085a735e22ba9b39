import type { Line } from '../lines.ts'
import { closesFence, type FenceOpening, readFenceOpening } from './fence.ts'
import { isBlank } from './front-matter-gate.ts'
import { visibleFrom } from './line-marks.ts'

interface OuterFence extends Pick<FenceOpening, 'char' | 'length'> {
  /** Whether a block in it is known, so that CommonMark would read it otherwise in any case. */
  readonly holdsFences: boolean
}

/** Collects the lines after a bare fence in a document until it is clear whether they are a block, or the fence ends the document. */
export class FenceGate {
  readonly lines: Line[]
  readonly #fence: OuterFence
  /** Whether the next fence line has come, which closes the block unless the line after it shows otherwise. */
  isClosed = false

  constructor(opening: Line, fence: OuterFence) {
    this.lines = [opening]
    this.#fence = fence
  }

  /** Where the bare fence is. */
  get start(): number {
    return this.lines[0]?.start ?? 0
  }

  /** Takes the next line; the one that decides is read afterwards, as any other. When in doubt the text is CommonMark. */
  take(line: Line): 'pending' | 'block' | 'refuted' {
    const { text } = line
    const at = visibleFrom(text, 0)
    const opening = readFenceOpening(text, at)
    const isFence = opening?.char === this.#fence.char && opening.length >= this.#fence.length
    // Code usually starts right after its fence, while a document continues after a blank line.
    if (this.isClosed) return this.#fence.holdsFences || isFence || isBlank(text) || isHeading(text) ? 'block' : 'refuted'
    // Comments are for what reads the answer, such as markers, and bare blocks rarely hold HTML.
    if (text.startsWith('<!--', at) || (this.lines.length === 1 && isBlank(text))) return 'refuted'
    if (isFence) {
      if (this.lines.length === 1 || !closesFence(text, at, this.#fence) || leadsToFence(this.lines.at(-1)?.text ?? '')) return 'refuted'
      this.isClosed = true
    }
    this.lines.push(line)
    return 'pending'
  }
}

/** Whether a block is likely to begin after a line: it is blank, a heading, or ends with a colon. */
export function leadsToFence(line: string): boolean {
  return isBlank(line) || endsWithColon(line) || isHeading(line)
}

function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}[ \t]/.test(line)
}

/** Whether a line ends with a colon. */
export function endsWithColon(text: string): boolean {
  let end = text.length
  while (end > 0 && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 9)) end--
  return text.charCodeAt(end - 1) === 58
}
