import { isSpace } from '../../json/scan.ts'
import { char, isOddSpace, isQuote } from './characters.ts'
import type { JsonListener } from './json-listener.ts'
import { readScalar, readText } from './readers/bare-token.ts'
import type { JsonEdit, JsonRepair, RefusalReason } from './result.ts'
import { Scan } from './scan.ts'
import { readAfter } from './steps/after-step.ts'
import { endText } from './steps/end-of-text.ts'
import { takeComment } from './steps/filler.ts'
import { readColon, readKeyStart } from './steps/key-step.ts'
import { readValueStart } from './steps/value-step.ts'

/** How to read. */
interface ScannerOptions {
  /** Offset of the first character. */
  readonly start?: number
  /** Complete what the end of the text cuts off, for previews only. */
  readonly partial?: boolean
  readonly listener?: JsonListener
}

/** Reads JSON as it comes and repairs what is not: every character is looked at a bounded number of times. */
export class JsonScanner {
  readonly #scan: Scan
  readonly #partial: boolean

  constructor({ start = 0, partial = false, listener }: ScannerOptions = {}) {
    this.#scan = new Scan(start, listener)
    this.#partial = partial
  }

  get finished(): boolean {
    return this.#scan.finished
  }

  get value(): unknown {
    return this.#scan.builder.root
  }

  /** The changes so far. */
  get edits(): readonly JsonEdit[] {
    return this.#scan.edits.list
  }

  /** Why and where the text was refused, as soon as it is. */
  get failure(): { readonly at: number; readonly reason: RefusalReason } | undefined {
    return this.#scan.failure
  }

  /** How far the text has been read. */
  get offset(): number {
    return this.#scan.window.offset
  }

  get openPath(): readonly (string | number)[] {
    return this.#scan.builder.openPath
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    const scan = this.#scan
    if (scan.finished || scan.fenced) return
    scan.window.push(chunk, scan.state === 'string' ? scan.string.start : undefined)
    run(scan)
  }

  /** Ends the text and closes what is open. */
  finish(): JsonRepair {
    const scan = this.#scan
    while (!scan.finished) {
      scan.window.ended = true
      run(scan)
      if (!scan.finished) endText(scan, this.#partial)
    }
    const { start, end, cut } = scan
    if (scan.failure) return { ok: false, ...scan.failure, ...(cut === 'inside' && { cut }) }
    return { ok: true, value: scan.builder.root, edits: scan.edits.list, start, end, cut }
  }
}

/** Reads as far as the text that is there allows. */
function run(scan: Scan): void {
  const { window } = scan
  while (!scan.finished && !scan.fenced && window.at < window.text.length) {
    if (!step(scan)) break
  }
  if (scan.state === 'string' && scan.string.place !== 'key') scan.builder.show(scan.string.text)
}

/** Reads one token; false when more text is needed to decide what it is. */
function step(scan: Scan): boolean {
  switch (scan.state) {
    case 'string':
      return readString(scan)
    case 'bare':
      return readBare(scan)
    case 'comment':
      return readComment(scan)
    default:
      return readPunctuation(scan)
  }
}

function readPunctuation(scan: Scan): boolean {
  const { window } = scan
  const { text } = window
  let code = text.charCodeAt(window.at)
  while (isSpace(code)) code = text.charCodeAt(++window.at)
  if (window.at >= text.length) return true
  if (code === char.slash || code === char.hash || code === char.backtick) {
    const comment = takeComment(scan, code)
    if (comment !== 'none') return comment === 'taken'
  }
  if (code === char.backslash) {
    const space = readBackslash(scan)
    if (space !== 'quote') return space === 'taken'
  }
  // repair: white space that JSON does not know
  if (isOddSpace(code)) return scan.replace(1, ' ', 'white-space')
  if (code === 0) return scan.fail('a NUL character')
  if (scan.state === 'value') return readValueStart(scan, code)
  if (scan.state === 'key') return readKeyStart(scan, code)
  return scan.state === 'colon' ? readColon(scan, code) : readAfter(scan, code)
}

/** repair: white space that is written as an escape, in a text with escaped quotes */
function readBackslash(scan: Scan): 'taken' | 'quote' | 'more' {
  const { text, at, ended } = scan.window
  if (text.length - at < 2 && !ended) return 'more'
  if (/[nrt]/.test(text[at + 1] ?? '')) scan.replace(2, ' ', 'escaped-quotes')
  else if (isQuote(text.charCodeAt(at + 1))) return 'quote'
  else scan.fail('a backslash outside of a string')
  return 'taken'
}

function readString(scan: Scan): boolean {
  const step = scan.string.read()
  if (step === 'refused') return scan.fail('a NUL character in a string')
  if (step === 'more') return false
  endString(scan)
  return true
}

/** Takes the string that was read, as key or as value. */
function endString(scan: Scan): void {
  if (scan.string.place !== 'key') {
    scan.put(scan.string.text)
    return
  }
  scan.builder.key(scan.string.text)
  scan.state = 'colon'
}

function readComment(scan: Scan): boolean {
  if (!scan.comment.read()) return false
  scan.edits.add('comment', 'lossless', scan.comment.start, scan.comment.text, '')
  scan.state = scan.resume
  return true
}

function readBare(scan: Scan): boolean {
  const { bare, edits, window } = scan
  const step = bare.read()
  switch (step) {
    case 'more':
      return false
    case 'refused':
      return scan.fail('unquoted text that contains a delimiter')
    case 'prefix':
      scan.string.takePrefix(bare.token, bare.start)
      scan.state = 'value'
      return true
    case 'call':
      edits.add('function-call', 'lossy', bare.start, `${bare.token}(`, '')
      window.at++
      scan.open('call')
      return true
    case 'quote':
      edits.add('missing-quote', bare.class, bare.start, bare.token, JSON.stringify(bare.token).slice(0, -1))
      window.at++
      return scan.put(bare.token)
    default:
      return endBare(scan)
  }
}

/** Takes the token that was read. */
function endBare(scan: Scan): boolean {
  const { bare, edits } = scan
  const token = trimEnd(bare.token)
  const scalar = bare.isText ? undefined : readScalar(token)
  if (scalar === undefined && bare.place === 'root') return scan.fail('no JSON value', bare.start)
  const read = scalar ?? readText(token, bare.class)
  if (read.written !== token) edits.add(read.rule, read.class, bare.start, token, read.written)
  return scan.put(read.value)
}

/** Drops the white space of JSON at the end; other white space has to stay inside the quotes. */
function trimEnd(token: string): string {
  let end = token.length
  while (end > 0 && isSpace(token.charCodeAt(end - 1))) end--
  return token.slice(0, end)
}
