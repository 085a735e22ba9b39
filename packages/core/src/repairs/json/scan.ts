import type { RepairClass } from '../../contract/certificate.ts'
import { JsonBuilder } from './builder.ts'
import { EditLog } from './edit-log.ts'
import { Frames } from './frames.ts'
import type { JsonListener } from './json-listener.ts'
import { BareReader } from './readers/bare-reader.ts'
import type { StringPlace } from './readers/string-end.ts'
import { StringReader } from './readers/string-reader.ts'
import { TextWindow } from './readers/text-window.ts'
import type { JsonCut, RefusalReason } from './result.ts'

/** Reads comments; their text is kept for the record of the change. */
class CommentReader {
  /** The comment so far. */
  text = ''
  /** Offset of the comment. */
  start = 0
  #closer: '\n' | '*/' = '\n'
  readonly #window: TextWindow

  constructor(window: TextWindow) {
    this.#window = window
  }

  /** Starts a comment whose first `length` characters determine its kind. */
  open(length: number): void {
    const window = this.#window
    this.start = window.offset
    this.text = window.text.slice(window.at, window.at + length)
    this.#closer = this.text === '/*' ? '*/' : '\n'
    window.at += length
  }

  /** Reads on; false when the comment has not ended. */
  read(): boolean {
    const window = this.#window
    const { text, at } = window
    const found = text.indexOf(this.#closer, at)
    const line = this.#closer === '\n'
    // The last character may be the first half of the closer.
    const open = line || window.ended || !text.endsWith('*') ? text.length : text.length - 1
    const end = found < 0 ? Math.max(at, open) : found + (line ? 0 : 2)
    this.text += text.slice(at, end)
    window.at = end
    return found >= 0
  }
}

/** What is expected or being read next. */
type ScanState = 'value' | 'key' | 'colon' | 'after' | 'string' | 'bare' | 'comment' | 'done' | 'failed'

/** Levels that are read: no answer needs them, and each costs memory. */
const deepest = 100_000

/** Everything that a scan knows; the steps of the scan change it. */
export class Scan {
  readonly builder: JsonBuilder
  readonly edits = new EditLog()
  readonly frames = new Frames()
  readonly window: TextWindow
  readonly string: StringReader
  readonly bare: BareReader
  readonly comment: CommentReader
  state: ScanState = 'value'
  /** Where to go on after a comment. */
  resume: ScanState = 'value'
  /** Offsets of the value; -1 as long as they are not known. */
  start = -1
  end = -1
  cut: JsonCut = 'none'
  /** Whether a fence has ended the text. */
  fenced = false
  failure: { readonly at: number; readonly reason: RefusalReason } | undefined

  constructor(start: number, listener?: JsonListener) {
    this.builder = new JsonBuilder(listener)
    this.window = new TextWindow(start)
    this.string = new StringReader(this.window, this.edits, this.frames)
    this.bare = new BareReader(this.window)
    this.comment = new CommentReader(this.window)
  }

  /** Whether the value is complete or refused. */
  get finished(): boolean {
    return this.state === 'done' || this.state === 'failed'
  }

  /** The place of a value that starts here. */
  get place(): StringPlace {
    if (this.state === 'key') return 'key'
    const kind = this.frames.top?.kind
    if (kind === 'object') return 'member'
    if (kind === 'array') return 'item'
    return kind === 'call' ? 'call' : 'root'
  }

  /** Replaces the next characters. */
  replace(length: number, after: string, rule: string, repairClass: RepairClass = 'lossless'): true {
    const { window } = this
    this.edits.add(rule, repairClass, window.offset, window.text.slice(window.at, window.at + length), after)
    window.at += length
    return true
  }

  /** Inserts text before the next character. */
  insert(after: string, rule: string, repairClass: RepairClass = 'lossless'): void {
    this.edits.add(rule, repairClass, this.window.offset, '', after)
  }

  /** Refuses the text. */
  fail(reason: RefusalReason, at = this.window.offset): true {
    this.failure = { at, reason }
    this.state = 'failed'
    return true
  }

  /** Opens an object, array or call. */
  open(kind: 'object' | 'array' | 'call'): void {
    if (this.frames.depth >= deepest) {
      this.fail('brackets that are nested too deeply')
      return
    }
    if (kind !== 'call') this.builder.open(kind)
    this.frames.push(kind)
    this.state = kind === 'object' ? 'key' : 'value'
  }

  /** Closes the innermost object, array or call. */
  close(): true {
    if (this.frames.top?.kind !== 'call') this.builder.close()
    this.frames.pop()
    this.afterValue()
    return true
  }

  /** Puts a whole value. */
  put(value: unknown): true {
    this.builder.put(value)
    this.afterValue()
    return true
  }

  /** Goes on after a value. */
  afterValue(): void {
    const frame = this.frames.top
    if (frame === undefined) {
      this.state = 'done'
      this.end = this.window.offset
      return
    }
    frame.filled = true
    frame.comma = -1
    this.state = 'after'
  }

  /** Takes a comma, and expects what it separates. */
  takeComma(offset: number): void {
    const frame = this.frames.top
    if (frame === undefined) return
    frame.comma = offset
    frame.lastComma = offset
    frame.commaEdits = this.edits.list.length
    this.state = frame.kind === 'object' ? 'key' : 'value'
  }

  /** repair: a comma with nothing after it */
  dropComma(repairClass: RepairClass = 'lossless'): void {
    const frame = this.frames.top
    if (frame === undefined || frame.comma < 0) return
    this.edits.addLate(frame.commaEdits, { rule: 'trailing-comma', class: repairClass, start: frame.comma, before: ',', after: '' })
    frame.comma = -1
  }
}
