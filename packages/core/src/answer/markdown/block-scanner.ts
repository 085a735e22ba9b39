import { isLetter } from '../characters.ts'
import type { CodeBlock, Heading, InlineBlock, ListItem } from '../outline.ts'
import type { TextSpan } from '../span.ts'
import { Containers, LineCursor, skipQuoteMark } from './containers.ts'
import { type FenceOpening, readFenceOpening } from './fence.ts'
import { FencedBlock } from './fenced-block.ts'
import { type HtmlEnd, startsHtmlBlock } from './html-block.ts'
import { readMeantFence } from './intended-fence.ts'
import { isBlankFrom, readAtxHeading, readCheckBox, readListMarker, readSetextUnderline, ThematicBreaks } from './line-marks.ts'
import { afterLinkDefinitions } from './link-definition.ts'

type Leaf =
  | FencedBlock
  | { readonly kind: 'paragraph'; readonly start: number; end: number; readonly lines: string[]; readonly places: TextSpan[] }
  | { readonly kind: 'html'; readonly end: HtmlEnd; readonly start: number; last: number }
  | { readonly kind: 'indented' }

/** How fences are read: as CommonMark does, or as they were meant where a container or HTML ends or hides them. */
export type FenceReading = 'commonmark' | 'meant'

/** Finds the blocks of Markdown line by line, as CommonMark does, in time linear in the text. */
export class BlockScanner {
  readonly headings: Heading[] = []
  readonly codeBlocks: CodeBlock[] = []
  readonly listItems: ListItem[] = []
  readonly inlines: InlineBlock[] = []
  readonly htmlBlocks: TextSpan[] = []
  readonly #containers = new Containers()
  readonly #cursor = new LineCursor()
  readonly #breaks = new ThematicBreaks()
  #leaf: Leaf | undefined
  /** The line in bold that is the last block so far. */
  #bold: Heading['above'] | undefined
  #start = 0
  #next = 0
  /** Whether something has opened on this line, and how many containers go on around it. */
  #opened = false
  #keep = 0
  readonly #isMeant: boolean
  /** The fence that this line was meant to open or close. */
  #meant: FenceOpening | undefined

  constructor(fences: FenceReading = 'commonmark') {
    this.#isMeant = fences !== 'commonmark'
  }

  /** The fence that is open outside of any container: only its closing line can end it. */
  get marginFence(): FencedBlock | undefined {
    return this.#leaf?.kind === 'fence' && this.#containers.depth === 0 ? this.#leaf : undefined
  }

  /** The fenced code block that is open. */
  get openBlock(): FencedBlock | undefined {
    return this.#leaf?.kind === 'fence' ? this.#leaf : undefined
  }

  /** Where the paragraph starts that is open: its inline code is not known yet. */
  get openParagraph(): number | undefined {
    return this.#leaf?.kind === 'paragraph' ? this.#leaf.start : undefined
  }

  /** Whether a line at the margin would be swallowed by an open fence or block of HTML. */
  get swallowing(): boolean {
    return this.#containers.depth === 0 && (this.#leaf?.kind === 'fence' || this.#leaf?.kind === 'html')
  }

  /** Takes the next line. */
  line(text: string, start: number, next: number): void {
    this.#start = start
    this.#next = next
    const cursor = this.#cursor
    cursor.open(text)
    if (this.#isPlain(text)) {
      this.#takeText(0, true, false)
      return
    }
    this.#breaks.open(text)
    const matched = this.#containers.match(cursor)
    const all = matched === this.#containers.depth
    if (this.#isMeant) {
      this.#meant = readMeantFence(text)
      if (this.#staysInFence(all)) return
    }
    if (all && this.#continuesLeaf()) return
    const opened = this.#openBlocks(matched, all)
    if (opened === 'done') return
    this.#takeText(matched, all, opened === 'container')
  }

  /** Adds a line to the fenced code block that is open, whatever it looks like. */
  code(text: string, next: number): void {
    const fence = this.openBlock
    if (fence === undefined) return
    this.#next = next
    this.#cursor.open(text)
    fence.holdsFences = true
    this.#addCode(fence)
  }

  /** Closes everything that is open. */
  close(): void {
    this.#closeLeaf()
    this.#containers.closeTo(0)
  }

  /** Whether a line at the margin is empty, or begins with a letter, and so cannot be anything but text. */
  #isPlain(text: string): boolean {
    if (this.#isMeant || this.#containers.depth > 0 || this.#leaf?.kind === 'fence' || this.#leaf?.kind === 'html') return false
    const code = text.charCodeAt(0)
    return isLetter(code) || code > 127 || text.length === 0
  }

  /** Gives the line to an open fence or block of HTML. */
  #continuesLeaf(): boolean {
    const leaf = this.#leaf
    const cursor = this.#cursor
    if (leaf?.kind === 'fence') {
      if (leaf.endsWith(cursor.text, cursor.visible, cursor.indent)) this.#closeFence(leaf, true)
      else this.#addCode(leaf)
      return true
    }
    if (leaf?.kind !== 'html') return false
    if (leaf.end !== 'blank') {
      this.#endHtml(leaf.end)
      return true
    }
    if (cursor.blank || this.#meant) {
      this.#closeLeaf()
      return false
    }
    leaf.last = this.#start + cursor.text.length
    return true
  }

  /** Gives the line to a fence that its container has ended, up to the line that was meant to close it. */
  #staysInFence(all: boolean): boolean {
    const fence = this.openBlock
    if (fence === undefined || (all && !fence.isAdrift)) return false
    const meant = this.#meant
    if (meant && meant.info !== '') return false
    const cursor = this.#cursor
    if (meant?.char === fence.char && meant.length >= fence.length) {
      this.#closeFence(fence, true)
      this.#containers.closeTo(0)
      return true
    }
    // List items are no longer taken off, since the code has none of their indentation.
    if (!cursor.text.slice(0, cursor.pos).includes('>')) cursor.open(cursor.text)
    fence.isAdrift = true
    if (!cursor.blank) fence.baseIndent ??= Math.min(cursor.indent, fence.column)
    cursor.skipColumns(Math.min(fence.baseIndent ?? 0, cursor.indent))
    fence.add(cursor.remainder(), cursor.pos === 0, this.#next)
    return true
  }

  #addCode(fence: FencedBlock): void {
    const cursor = this.#cursor
    cursor.skipColumns(Math.min(fence.indent, cursor.indent))
    fence.add(cursor.remainder(), cursor.pos === 0, this.#next)
  }

  /** Opens the blocks that start on this line. */
  #openBlocks(matched: number, all: boolean): 'done' | 'container' | 'nothing' {
    const cursor = this.#cursor
    this.#opened = false
    this.#keep = matched
    for (;;) {
      if (cursor.blank) return this.#opened ? 'container' : 'nothing'
      const paragraph = !this.#opened && this.#leaf?.kind === 'paragraph'
      if (cursor.indent >= 4 && !this.#meant) {
        if (paragraph) return 'nothing'
        this.#interrupt()
        this.#setLeaf({ kind: 'indented' })
        return 'done'
      }
      const at = cursor.visible
      if (cursor.text.charCodeAt(at) === 62) {
        this.#interrupt()
        cursor.skipColumns(cursor.indent - 3)
        skipQuoteMark(cursor)
        this.#containers.openQuote()
        this.#keep++
        continue
      }
      if (this.#openLeaf(at, paragraph, paragraph && all)) return 'done'
      if (!this.#openItem(at, paragraph && all && !this.#meant)) return this.#opened ? 'container' : 'nothing'
    }
  }

  /** The first thing that opens on a line ends what does not go on. */
  #interrupt(): void {
    if (!this.#opened) {
      this.#closeLeaf()
      this.#containers.closeTo(this.#keep)
    }
    this.#opened = true
  }

  /** Opens a heading, fence, block of HTML or thematic break. */
  #openLeaf(at: number, lazyParagraph: boolean, inParagraph: boolean): boolean {
    const { text } = this.#cursor
    const atx = readAtxHeading(text, at)
    if (atx) {
      this.#interrupt()
      this.#addHeading(atx.level, atx.text, this.#start + at)
      return true
    }
    const fence = readFenceOpening(text, at)
    if (fence) {
      const { indent, column } = this.#cursor
      this.#interrupt()
      const nested = this.#containers.depth > 0
      this.#setLeaf(new FencedBlock(fence, { start: this.#start + at, contentStart: this.#next, indent, column: column + indent, nested }))
      return true
    }
    const end = text.charCodeAt(at) === 60 ? startsHtmlBlock(this.#cursor.rest, lazyParagraph) : undefined
    if (end) {
      this.#interrupt()
      this.#setLeaf({ kind: 'html', end, start: this.#start + at, last: this.#start + text.length })
      if (end !== 'blank') this.#endHtml(end)
      return true
    }
    if (inParagraph && this.#setext(at)) return true
    if (this.#breaks.at(at)) {
      this.#interrupt()
      this.#containers.fill()
      return true
    }
    return false
  }

  #setext(at: number): boolean {
    const level = readSetextUnderline(this.#cursor.text, at)
    const leaf = this.#leaf
    if (level === undefined || leaf?.kind !== 'paragraph') return false
    const content = afterLinkDefinitions(leaf.lines.join('\n'))
    if (content.trim() === '') return false
    this.#leaf = undefined
    this.#addHeading(
      level,
      content
        .split('\n')
        .map((line) => line.trim())
        .join('\n'),
      leaf.start,
      leaf.places,
    )
    return true
  }

  #openItem(at: number, inParagraph: boolean): boolean {
    const cursor = this.#cursor
    const marker = readListMarker(cursor.text, at)
    if (!marker) return false
    const emptyItem = isBlankFrom(cursor.text, at + marker.length)
    if (inParagraph && (emptyItem || (marker.ordered && marker.number !== 1))) return false
    const offset = cursor.indent
    this.#interrupt()
    cursor.skipVisible(marker.length)
    // Five or more columns of white space are one, and indented code after it.
    const padding = emptyItem || cursor.indent > 4 ? 1 : cursor.indent
    cursor.skipColumns(padding)
    this.#containers.openItem(offset + marker.length + padding)
    const checked = readCheckBox(cursor.rest)
    const span = { start: this.#start + at, end: this.#start + cursor.text.length }
    this.listItems.push(checked === undefined ? { span } : { span, checked })
    return true
  }

  /** Gives what is left of the line to a paragraph. */
  #takeText(matched: number, all: boolean, opened: boolean): void {
    const cursor = this.#cursor
    const leaf = this.#leaf
    const end = this.#start + cursor.text.length
    if (!cursor.blank && !opened && leaf?.kind === 'paragraph') {
      leaf.lines.push(cursor.rest)
      leaf.places.push({ start: this.#start + cursor.pos, end })
      leaf.end = end
      return
    }
    if (!opened && !all) {
      this.#closeLeaf()
      this.#containers.closeTo(matched)
    }
    if (cursor.blank) {
      if (this.#leaf?.kind === 'paragraph') this.#closeLeaf()
      return
    }
    this.#closeLeaf()
    const start = this.#start + cursor.visible
    this.#setLeaf({ kind: 'paragraph', start, end, lines: [cursor.rest], places: [{ start, end }] })
  }

  #addHeading(level: number, text: string, start: number, places: readonly TextSpan[] = []): void {
    const span = { start, end: this.#start + this.#cursor.text.length }
    this.#containers.fill()
    this.headings.push({ level, text, span, nested: this.#containers.depth > 0, ...(this.#bold ? { above: this.#bold } : {}) })
    this.#bold = undefined
    this.inlines.push(inlineBlock(span, places))
  }

  #setLeaf(leaf: Leaf): void {
    this.#containers.fill()
    this.#leaf = leaf
    this.#bold = undefined
  }

  /** Ends a block of HTML on the line that its end is on; what is behind that is shown. */
  #endHtml(pattern: RegExp): void {
    const { text, rest } = this.#cursor
    const found = pattern.exec(rest)
    if (found === null) return
    const end = this.#start + text.length
    this.htmlBlocks.push({ start: end - rest.length + found.index + found[0].length, end })
    this.#leaf = undefined
  }

  #closeLeaf(): void {
    const leaf = this.#leaf
    if (leaf?.kind === 'fence') this.#closeFence(leaf, false)
    else if (leaf?.kind === 'html') {
      if (leaf.end === 'blank') this.htmlBlocks.push({ start: leaf.start, end: leaf.last })
    } else if (leaf?.kind === 'paragraph') {
      this.inlines.push(inlineBlock({ start: leaf.start, end: leaf.end }, leaf.places))
      const text = leaf.lines[0] ?? ''
      if (leaf.lines.length === 1 && this.#containers.depth === 0 && isBold(text)) this.#bold = { text, start: leaf.start }
    }
    this.#leaf = undefined
  }

  #closeFence(fence: FencedBlock, closed: boolean): void {
    fence.close(closed, this.#start + this.#cursor.text.length)
    this.codeBlocks.push(fence)
    this.#leaf = undefined
  }
}

function isBold(line: string): boolean {
  const text = line.startsWith('**') || line.startsWith('__') ? line.trimEnd() : ''
  return text.length > 4 && text.endsWith(text.slice(0, 2)) && !text.slice(2, -2).includes(text.slice(0, 2))
}

function inlineBlock(span: TextSpan, lines: readonly TextSpan[]): InlineBlock {
  return lines.length > 1 ? { ...span, lines } : span
}
