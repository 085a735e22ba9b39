import { closesFence, type FenceOpening, isMarkdown, languageOf, readFenceOpening } from './fence.ts'
import { readListMarker, visibleFrom } from './line-marks.ts'

interface InnerFence extends Pick<FenceOpening, 'char' | 'length'> {
  /** The column at which it opens. */
  readonly indent: number
  readonly holdsDocument: boolean
}

/** The blocks that are open inside a fence that holds a Markdown document, which models seldom make longer than those in it. */
export class InnerFences {
  readonly #outer: InnerFence
  readonly #open: InnerFence[] = []

  constructor({ char, length }: Pick<FenceOpening, 'char' | 'length'>) {
    this.#outer = { char, length, indent: 0, holdsDocument: true }
  }

  /** Whether none is open. */
  get empty(): boolean {
    return this.#open.length === 0
  }

  /** The lines that close what is open, innermost first. */
  get closers(): string[] {
    return this.#open.map(({ char, length }) => char.repeat(length)).reverse()
  }

  /** Takes a line whose first visible character is at `at`, and returns what it does to the outer fence or to an inner one. */
  take(line: string, at: number, indent: number): 'ends' | 'closes' | 'content' {
    const current = this.#open.at(-1) ?? this.#outer
    if (indent <= current.indent + 3 && closesFence(line, at, current)) return this.#open.pop() ? 'closes' : 'ends'
    if (current.holdsDocument) this.#openAt(line, at, indent, current)
    return 'content'
  }

  #openAt(line: string, at: number, indent: number, current: InnerFence): void {
    const start = afterListMarkers(line, at)
    const opening = readFenceOpening(line, start)
    if (opening === undefined || opening.char !== current.char || opening.length < current.length) return
    // A bare fence may close, unless it starts a list item.
    if (opening.info === '' && start === at) return
    const { char, length } = opening
    this.#open.push({ char, length, indent: indent + start - at, holdsDocument: isMarkdown(languageOf(opening.info)) })
  }
}

function afterListMarkers(line: string, from: number): number {
  let at = from
  for (let marker = readListMarker(line, at); marker; marker = readListMarker(line, at)) {
    at = visibleFrom(line, at + marker.length)
  }
  return at
}
