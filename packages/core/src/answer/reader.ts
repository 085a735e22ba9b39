import { hasBreak, type Line, LineSplitter } from './lines.ts'
import { BlockScanner, type FenceReading } from './markdown/block-scanner.ts'
import { endsWithColon, FenceGate, leadsToFence } from './markdown/fence-gate.ts'
import type { FencedBlock } from './markdown/fenced-block.ts'
import { FrontMatterGate, isBlank, isRule } from './markdown/front-matter-gate.ts'
import { withPlainMarks } from './markdown/intended-fence.ts'
import type { FrontMatter, Outline } from './outline.ts'
import { ReasoningSkipper } from './reasoning.ts'
import { spanHolds } from './span.ts'

/** What has been read of an answer, for those that only look at it. */
export type AnswerOutline = Omit<AnswerReader, 'push' | 'end'>

/** Reads the structure of an answer once, whole or chunk by chunk: both give the same outline. What nobody asks for is not read. */
export class AnswerReader implements Outline {
  #text = ''
  #inBody = false
  /** What has not been read yet of the body, and whether the text has ended since. */
  #unread = ''
  #ends = false
  /** Whether a line may end in what is unread: otherwise there is nothing to know but the start of the last line. */
  #breaks = false
  /** The last piece of it, when nobody has asked for anything since. */
  #latest = ''
  #afterReturn = false
  readonly #frontMatters: FrontMatter[] = []
  readonly #unclosedHeaders: Outline['unclosedHeaders'][number][] = []
  #unclosedFence: readonly string[] | undefined
  readonly #scanner: BlockScanner
  readonly #isMeant: boolean
  readonly #reasoning = new ReasoningSkipper()
  #lines: LineSplitter | undefined
  #gate: FrontMatterGate | undefined
  #fenceGate: FenceGate | undefined
  /** Whether lines are read again: none of them waits a second time, so that time stays linear. */
  #readingAgain = false
  #started = false
  #previous = ''
  #decided = 0
  #linesRead = 0

  constructor(fences: FenceReading = 'commonmark') {
    this.#scanner = new BlockScanner(fences)
    this.#isMeant = fences !== 'commonmark'
  }

  /** All text so far. */
  get text(): string {
    return this.#text
  }

  get frontMatters(): Outline['frontMatters'] {
    this.#catchUp()
    return this.#frontMatters
  }

  get unclosedHeaders(): Outline['unclosedHeaders'] {
    this.#catchUp()
    return this.#unclosedHeaders
  }

  /** At the end: the lines that close the fence that would swallow what is appended. */
  get unclosedFence(): readonly string[] | undefined {
    this.#catchUp()
    return this.#unclosedFence
  }

  /** How many lines have been read: as long as it stays the same, only the last line has grown. */
  get linesRead(): number {
    this.#catchUp()
    return this.#linesRead
  }

  /** Headings of the lines that are decided. */
  get headings(): Outline['headings'] {
    this.#catchUp()
    return this.#scanner.headings
  }

  /** Code blocks that are closed; while reading, the open one is missing. */
  get codeBlocks(): Outline['codeBlocks'] {
    this.#catchUp()
    return this.#scanner.codeBlocks
  }

  get listItems(): Outline['listItems'] {
    this.#catchUp()
    return this.#scanner.listItems
  }

  get inlines(): Outline['inlines'] {
    this.#catchUp()
    return this.#scanner.inlines
  }

  get htmlBlocks(): Outline['htmlBlocks'] {
    this.#catchUp()
    return this.#scanner.htmlBlocks
  }

  /** Where the body starts, after reasoning. */
  get bodyStart(): number {
    return this.#reasoning.bodyStart
  }

  /** Whether the reasoning has begun and not ended. */
  get inReasoning(): boolean {
    return this.#reasoning.isOpen
  }

  /** Everything before this offset is read for good: whole lines that belong to no undecided front matter. */
  get decided(): number {
    this.#catchUp()
    return this.#fenceGate?.start ?? this.#gate?.start ?? Math.max(this.#decided, this.#reasoning.bodyStart)
  }

  /** Whether lines are waiting that may turn out to be front matter. */
  get undecided(): boolean {
    this.#catchUp()
    return this.#gate !== undefined
  }

  /** The fence that is open outside of any container, so that text can only be code until the line that closes it. */
  get marginFence(): FencedBlock | undefined {
    this.#catchUp()
    return this.#fenceGate ? undefined : this.#scanner.marginFence
  }

  /** The first visible character of the line that is being read; empty when it has none yet. */
  get lineHead(): string {
    this.#catchUp()
    if (this.#unread !== '' && (this.#lines?.head ?? '') === '') this.#read()
    return this.#lines?.head ?? ''
  }

  /** The fenced code block that is open, when one is. */
  get openFence(): BlockScanner['openBlock'] {
    this.#catchUp()
    return this.#scanner.openBlock
  }

  /** Where the blocks end whose inline code is known. */
  get closed(): number {
    this.#catchUp()
    return Math.min(this.decided, this.#scanner.openParagraph ?? this.decided)
  }

  /** Whether a decided offset is inside a fenced code block. */
  inFence(offset: number): boolean {
    this.#catchUp()
    return offset >= (this.#scanner.openBlock?.start ?? Number.POSITIVE_INFINITY) || spanHolds(this.codeBlocks, offset)
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    this.#text += chunk
    // Lines begin where reasoning has ended.
    if (!this.#inBody) this.#pushBody(this.#reasoning.push(chunk))
    else {
      this.#unread += chunk
      if (this.#latest !== '') this.#breaks = true
      this.#latest = chunk
    }
  }

  /** Ends the text and closes what is still open. */
  end(): void {
    this.#pushBody(this.#reasoning.end())
    this.#ends = true
  }

  #pushBody(body: string): void {
    if (body === '') return
    this.#inBody = true
    this.#unread += body
    this.#breaks = true
  }

  #catchUp(): void {
    if (this.#breaks || (this.#latest !== '' && (this.#afterReturn || hasBreak(this.#latest)))) this.#read()
    this.#latest = ''
    if (this.#ends) this.#close()
  }

  #read(): void {
    const unread = this.#unread
    this.#unread = ''
    this.#breaks = false
    this.#lines ??= new LineSplitter(
      (text, start, next) => this.#takeLine(text, start, next),
      this.#reasoning.bodyStart,
      (chunk, from, start) => this.#takeCode(chunk, from, start),
    )
    this.#lines.push(unread)
    this.#afterReturn = unread.charCodeAt(unread.length - 1) === 13
  }

  #close(): void {
    this.#ends = false
    if (this.#unread !== '') this.#read()
    this.#lines?.end()
    if (this.#fenceGate?.isClosed) this.#addBlock(this.#fenceGate.lines)
    this.#readAgain()
    this.#giveBack()
    this.#unclosedFence = this.#scanner.marginFence?.closers
    this.#scanner.close()
  }

  /** Takes the lines of a chunk that can only be code. */
  #takeCode(chunk: string, from: number, start: number): number {
    const fence = this.#isMeant ? undefined : this.#scanner.marginFence
    const end = fence?.endOfCode(chunk, from) ?? from
    if (end === from) return from
    this.#linesRead++
    this.#decided = start + end - from
    fence?.add(chunk.slice(from, end - 1), true, this.#decided)
    return end
  }

  #takeLine(text: string, start: number, next: number): void {
    this.#linesRead++
    // Only at the very start is it a byte order mark.
    const from = start === 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0
    const line = from === 0 ? text : text.slice(from)
    this.#takeText(this.#isMeant ? withPlainMarks(line) : line, start + from, next)
  }

  #takeText(line: string, start: number, next: number): void {
    if (this.#fenceGate) {
      const verdict = this.#fenceGate.take({ text: line, start, next })
      if (verdict === 'pending') return
      if (verdict === 'block') this.#addBlock(this.#fenceGate.lines)
      else this.#readAgain()
    }
    if (this.#gate) {
      const verdict = this.#gate.take(line, start, next)
      if (verdict.kind === 'pending') return
      if (verdict.kind === 'front-matter') {
        this.#gate = undefined
        this.#scanner.close()
        this.#frontMatters.push(verdict.block)
        this.#note(line, next)
        return
      }
      this.#giveBack()
    }
    const fence = this.#scanner.marginFence
    if (fence?.mayEndWith(line) && !this.#readingAgain && leadsToFence(this.#previous))
      this.#fenceGate = new FenceGate({ text: line, start, next }, fence)
    else if (this.#opensFrontMatter(line)) this.#gate = new FrontMatterGate({ text: line, start, next }, !this.#started)
    else this.#scan(line, start, next)
  }

  #opensFrontMatter(line: string): boolean {
    // Where fences are read leniently, rules around code are not front matter.
    return !this.#isMeant && isRule(line) && !this.#scanner.swallowing && (isBlank(this.#previous) || endsWithColon(this.#previous))
  }

  /** Reads lines as a block inside the document that is open. */
  #addBlock(lines: readonly Line[]): void {
    this.#fenceGate = undefined
    for (const { text, next } of lines) {
      this.#scanner.code(text, next)
      this.#note(text, next)
    }
  }

  /** Reads the lines after a bare fence that has turned out to end its document. */
  #readAgain(): void {
    const lines = this.#fenceGate?.lines ?? []
    this.#fenceGate = undefined
    this.#readingAgain = true
    for (const { text, start, next } of lines) this.#takeText(text, start, next)
    this.#readingAgain = false
  }

  /** Reads the lines of refuted front matter as what they are. */
  #giveBack(): void {
    const gate = this.#gate
    const verdict = gate?.refute()
    this.#gate = undefined
    if (gate?.firstLine) this.#unclosedHeaders.push({ start: gate.start, firstLine: gate.firstLine })
    if (verdict?.kind === 'refuted') for (const { text, start, next } of verdict.lines) this.#scan(text, start, next)
  }

  #scan(text: string, start: number, next: number): void {
    this.#scanner.line(text, start, next)
    this.#note(text, next)
  }

  #note(text: string, next: number): void {
    this.#decided = next
    this.#previous = text
    this.#started ||= !isBlank(text)
  }
}
