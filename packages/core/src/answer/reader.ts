import { BlockScanner } from './block-scanner.ts'
import { FrontMatterGate, isBlank, isRule } from './front-matter-gate.ts'
import { LineSplitter } from './lines.ts'
import type { FrontMatter, Outline } from './outline.ts'
import { ReasoningSkipper } from './reasoning.ts'
import { spanHolds } from './span.ts'

/** Reads the structure of an answer once, whole or chunk by chunk: both give the same outline. */
export class AnswerReader implements Outline {
  readonly frontMatters: FrontMatter[] = []
  /** At the end: the fence that would swallow what is appended. */
  unclosedFence: BlockScanner['marginFence']
  readonly #scanner = new BlockScanner()
  readonly #reasoning = new ReasoningSkipper()
  #lines: LineSplitter | undefined
  #gate: FrontMatterGate | undefined
  #started = false
  #previousBlank = true
  #previousLeadsIn = false
  #decided = 0
  /** How many lines have been read: as long as it stays the same, only the last line has grown. */
  linesRead = 0

  /** Headings of the lines that are decided. */
  get headings(): Outline['headings'] {
    return this.#scanner.headings
  }

  /** Code blocks that are closed; while reading, the open one is missing. */
  get codeBlocks(): Outline['codeBlocks'] {
    return this.#scanner.codeBlocks
  }

  get listItems(): Outline['listItems'] {
    return this.#scanner.listItems
  }

  get inlines(): Outline['inlines'] {
    return this.#scanner.inlines
  }

  /** Where the body starts, behind reasoning. */
  get bodyStart(): number {
    return this.#reasoning.bodyStart
  }

  /** Everything before this offset is read for good: whole lines that belong to no undecided front matter. */
  get decided(): number {
    return this.#gate ? this.#gate.start : Math.max(this.#decided, this.bodyStart)
  }

  /** Whether lines are waiting that may turn out to be front matter. */
  get undecided(): boolean {
    return this.#gate !== undefined
  }

  /** The first visible character of the line that is being read; empty when it has none yet. */
  get lineHead(): string {
    return this.#lines?.head ?? ''
  }

  /** The fenced code block that is open, when one is. */
  get openFence(): BlockScanner['openBlock'] {
    return this.#scanner.openBlock
  }

  /** Whether an offset that is decided stands inside a fenced code block. */
  inFence(offset: number): boolean {
    return offset >= (this.#scanner.openBlock?.start ?? Number.POSITIVE_INFINITY) || spanHolds(this.codeBlocks, offset)
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    // Lines begin where reasoning has ended.
    if (this.#lines) this.#lines.push(chunk)
    else this.#pushBody(this.#reasoning.push(chunk))
  }

  /** Ends the text and closes what is still open. */
  end(): void {
    this.#pushBody(this.#reasoning.end())
    this.#lines?.end()
    this.#giveBack()
    this.unclosedFence = this.#scanner.marginFence
    this.#scanner.close()
  }

  #pushBody(body: string): void {
    if (body.length === 0) return
    this.#lines ??= new LineSplitter((text, start, next) => this.#takeLine(text, start, next), this.#reasoning.bodyStart)
    this.#lines.push(body)
  }

  #takeLine(text: string, start: number, next: number): void {
    this.linesRead++
    // Only at the very start is it a byte order mark.
    if (start === 0 && text.charCodeAt(0) === 0xfeff) this.#takeText(text.slice(1), 1, next)
    else this.#takeText(text, start, next)
  }

  #takeText(line: string, start: number, next: number): void {
    if (this.#gate) {
      const verdict = this.#gate.take(line, start, next)
      if (verdict.kind === 'pending') return
      if (verdict.kind === 'front-matter') {
        this.#gate = undefined
        this.#scanner.close()
        this.frontMatters.push(verdict.block)
        this.#note(line, next)
        return
      }
      this.#giveBack()
    }
    if (this.#opensFrontMatter(line)) this.#gate = new FrontMatterGate({ text: line, start, next }, !this.#started)
    else this.#scan(line, start, next)
  }

  #opensFrontMatter(line: string): boolean {
    return isRule(line) && !this.#scanner.swallowing && (this.#previousBlank || this.#previousLeadsIn)
  }

  /** Reads the lines of refuted front matter as what they are. */
  #giveBack(): void {
    const verdict = this.#gate?.refute()
    this.#gate = undefined
    if (verdict?.kind === 'refuted') for (const { text, start, next } of verdict.lines) this.#scan(text, start, next)
  }

  #scan(text: string, start: number, next: number): void {
    this.#scanner.line(text, start, next)
    this.#note(text, next)
  }

  #note(text: string, next: number): void {
    this.#decided = next
    this.#previousBlank = isBlank(text)
    this.#previousLeadsIn = endsWithColon(text)
    if (!this.#previousBlank) this.#started = true
  }
}

function endsWithColon(text: string): boolean {
  let end = text.length
  while (end > 0 && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 9)) end--
  return text.charCodeAt(end - 1) === 58
}
