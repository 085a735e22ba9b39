import type { AnswerReader } from '../../answer/reader.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { KeptText } from '../shared/kept-text.ts'
import { attributes, drawing } from './attributes.ts'
import { linkTail, longestUser } from './bare-addresses.ts'
import { beginning, beginningSigns, longestName, unfinishedFrom, wordBehind } from './beginnings.ts'
import { type LinkRules, merged, type WrongLink, wrongTargets } from './judge.ts'
import { hasCodeMark, PlaceWatch } from './place-watch.ts'
import { removals } from './repair.ts'

/** Text that is kept to be looked at again with the next chunk; white space after the name of an attribute has no limit of its own. */
const mostKept = 1000

/** What opens something that goes on after white space, and the white space across which nothing else goes on. */
// backtracks: over the white space around one equals sign, of which little is kept
const marks = new RegExp(`${drawing.source}|\\](?:\\(|:)\\s*|\\b(?:${attributes})\\s*=\\s*["']?|\\s+(?=\\S)`, 'gi')

/** The rest of a link whose text is closed, as far as it is there. */
// backtracks: at most 2048 characters, whose parts begin with different signs
const openTail = /^\(\s{0,9}(?:<[^<>\n]*$|(?:<[^<>\n]*>|[^\s()<>]*)(?:\s{1,9}(?:"[^"]*(?:$|"\s{0,9}$)|'[^']*(?:$|'\s{0,9}$)|$)|$))/

/** So much before an address may say how it is read. */
const mostBefore = 2100

/** More would not be sent to a model. */
const mostFurther = 50

/** A part of the text that may hold addresses: from where one may begin to the white space across which nothing of it goes on. */
interface Part {
  readonly start: number
  /** It ends no earlier than here. */
  least: number
  /** The sign that ends what is open. */
  awaited?: string | undefined
  /** What may be code, and how much of the text was read when that was not known. */
  doubt?: { readonly offset: number; readonly read: number } | undefined
  /** What is wrong in it, code included, once its end is there. */
  wrong?: readonly WrongLink[]
}

interface StreamWords {
  /** Whether wrong addresses are taken out on the way. */
  readonly edits: boolean
  /** Whether no repair may take them out. */
  readonly isFinal: boolean
  /** What is said of links, in text order. */
  issues(links: readonly WrongLink[]): readonly IssueDraft<'LINK_NOT_ALLOWED'>[]
}

/** Holds what may be an address until it is judged, and hands over its removal; fails where it may not be removed. */
export class LinkStream implements IncrementalCheck<'LINK_NOT_ALLOWED'> {
  readonly #rules: LinkRules
  readonly #words: StreamWords
  readonly #kept = new KeptText()
  readonly #places = new PlaceWatch()
  #length = 0
  /** The end of the text, in which an address or a mark may begin; its first `#lead` characters are only looked back at. */
  #tail = ''
  #lead = 0
  #part: Part | undefined
  #held: number | undefined
  /** Text in which nothing begins, and which is not kept yet. */
  #quiet = ''
  /** Whether the tail has a sign with which something may begin. */
  #hasSign = false
  #failed: Progress<'LINK_NOT_ALLOWED'> | undefined
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }

  constructor(rules: LinkRules, words: StreamWords) {
    this.#rules = rules
    this.#words = words
  }

  push(chunk: string, reader: AnswerReader): Progress<'LINK_NOT_ALLOWED'> {
    if (this.#failed) return this.#failed
    if (this.#held !== undefined) return { safe: this.#held }
    if (this.#length === 0) this.#places.first = chunk.slice(0, 1)
    const inCode =
      this.#part === undefined &&
      reader.marginFence !== undefined &&
      this.#tailStart >= (reader.openFence?.start ?? 0) &&
      this.#places.isInFence(this.#tailStart, reader)
    this.#length += chunk.length
    if (this.#skips(chunk, inCode)) {
      this.#progress.safe = this.#tailStart
      return this.#progress
    }
    this.#kept.push(this.#quiet)
    this.#kept.push(chunk)
    this.#places.pass(this.#quiet)
    this.#places.push(chunk)
    this.#quiet = ''
    this.#tail += chunk
    const edits: Certificate[] = []
    if (inCode) this.#cut(this.#tail.length, 0)
    else if (this.#canGoOn(chunk, reader)) while (this.#step(edits, reader));
    const safe = this.#held ?? this.#part?.start ?? this.#tailStart
    this.#kept.dropTo(safe - mostBefore)
    if (this.#part === undefined) {
      this.#places.forget(reader)
      this.#hasSign = beginningSigns.test(this.#tail)
    }
    return this.#failed ?? (edits.length > 0 ? { safe, edits } : { safe })
  }

  /** Passes over text in which nothing begins, as most of it is. */
  #skips(chunk: string, inCode: boolean): boolean {
    if (this.#part !== undefined || this.#quiet.length > mostKept || chunk.length > mostKept) return false
    const mayBegin = inCode ? hasCodeMark.test(chunk) : this.#hasSign || this.#tail.length > mostKept
    const word = mayBegin ? undefined : inCode ? '' : wordBehind(this.#tail, chunk)
    if (word === undefined) return false
    this.#tail = word
    this.#quiet += chunk
    return true
  }

  get #tailStart(): number {
    return this.#length - this.#tail.length
  }

  #cut(from: number, lead: 0 | 1): void {
    this.#lead = Math.min(lead, from)
    this.#tail = this.#tail.slice(from - this.#lead)
  }

  /** Whether nothing is open, or what is open ends in a chunk. */
  #canGoOn(chunk: string, reader: AnswerReader): boolean {
    const part = this.#part
    if (part?.doubt && this.#places.read(part.doubt.offset, reader) === part.doubt.read) return false
    if (part?.awaited === undefined) return true
    const found = chunk.indexOf(part.awaited)
    if (found < 0) return false
    part.least = Math.max(part.least, this.#length - chunk.length + found + 1)
    part.awaited = undefined
    return true
  }

  /** Finds the next part, its end, or its verdict; false when there has to be more text. */
  #step(edits: Certificate[], reader: AnswerReader): boolean {
    const part = this.#part
    if (part === undefined) return this.#begin(reader)
    return part.wrong === undefined ? this.#end(part, reader) : this.#settle(part, part.wrong, edits, reader)
  }

  #begin(reader: AnswerReader): boolean {
    beginning.lastIndex = 0
    const found = beginningSigns.test(this.#tail) ? beginning.exec(this.#tail) : null
    if (found === null) {
      this.#cut(unfinishedFrom(this.#tail), 0)
      this.#holdWhite(this.#tail, this.#tailStart)
      return false
    }
    const start = this.#tailStart + found.index
    if (this.#holdWhite(found[0], start)) return false
    if (this.#places.isInFence(start, reader)) this.#cut(found.index + found[0].length, 0)
    else {
      this.#part = { start, least: 0 }
      this.#cut(found.index, 0)
    }
    return true
  }

  /** So much white space is not looked at again with every chunk: the text is held. */
  #holdWhite(text: string, from: number): boolean {
    if (text.length > mostKept && text.replace(/\s+/g, '').length < text.length - mostKept) this.#held = from
    return this.#held !== undefined
  }

  /** Finds where a part ends. */
  #end(part: Part, reader: AnswerReader): boolean {
    const base = this.#tailStart
    let read = this.#lead
    marks.lastIndex = read
    for (let found = marks.exec(this.#tail); found !== null; found = marks.exec(this.#tail)) {
      const { 0: mark, index } = found
      if (this.#holdWhite(mark, part.start)) return false
      if (mark[0] === '<') {
        if (!this.#takeDrawing(part, index, reader)) return false
      } else if (mark.trim() !== '') {
        if (!this.#takeOpener(part, mark, index)) return false
      } else if (base + index >= part.least) {
        part.wrong = this.#judge(part.start, base + index)
        this.#cut(index, 0)
        return true
      }
      read = index + mark.length
    }
    this.#cut(Math.max(read, this.#tail.trimEnd().length - longestName), 1)
    this.#holdWhite(this.#tail, part.start)
    return false
  }

  /** In a drawing or a style sheet addresses are found that other text does not have: the text is held, unless it is code. */
  #takeDrawing(part: Part, index: number, reader: AnswerReader): boolean {
    const start = this.#tailStart + index
    const isCode = this.#isCode(part, { start, end: start + 1 }, reader)
    if (isCode === false) this.#held = part.start
    if (isCode === undefined) this.#cut(index, 1)
    return isCode === true
  }

  /** Whether a place is code; undefined when that is not known yet. */
  #isCode(part: Part, span: TextSpan, reader: AnswerReader): boolean | undefined {
    const isCode = this.#places.isCode(span, reader)
    part.doubt = isCode === undefined ? { offset: span.start, read: this.#places.read(span.start, reader) } : undefined
    return isCode
  }

  /** Finds where the thing ends that a mark opens; false when that is not there yet. */
  #takeOpener(part: Part, mark: string, index: number): boolean {
    const base = this.#tailStart
    const end = index + mark.length
    const rest = base + index > part.start && mark[1] === '(' ? this.#tail.slice(index + 1, index + longestUser) : ''
    if (end === this.#tail.length || (rest.length < longestUser - 1 && openTail.test(rest))) {
      this.#cut(index, 1)
      return false
    }
    part.least = Math.max(part.least, base + index + 1 + (linkTail.exec(rest)?.[0].length ?? 0))
    const sign = '"\''.includes(mark.slice(-1)) ? mark.slice(-1) : mark[0] === ']' && this.#tail[end] === '<' ? '\n' : undefined
    if (sign === undefined) return true
    const closed = this.#tail.indexOf(sign, end)
    if (closed >= 0) part.least = Math.max(part.least, base + closed + 1)
    else {
      part.awaited = sign
      this.#cut(end, 1)
    }
    return closed >= 0
  }

  /** What is wrong between two offsets, code included. */
  #judge(start: number, end: number): WrongLink[] {
    const from = Math.max(0, start - mostBefore)
    const wrong = wrongTargets(this.#kept.slice({ start: from, end }), this.#rules, -1, start - from)
    return wrong.map(({ span, ...rest }) => ({ ...rest, span: { start: from + span.start, end: from + span.end } }))
  }

  #settle(part: Part, wrong: readonly WrongLink[], edits: Certificate[], reader: AnswerReader): boolean {
    const links: WrongLink[] = []
    for (const link of wrong) {
      const isCode = this.#isCode(part, link.span, reader)
      if (isCode === undefined) return false
      if (!isCode) links.push(link)
    }
    this.#part = undefined
    const all = merged(links)
    const [first] = all
    if (first === undefined) return true
    if (this.#words.edits) for (const edit of this.#removals(part.start, links, reader)) edits.push(edit)
    else {
      const { issues, isFinal } = this.#words
      const [issue, ...further] = issues(all.slice(0, mostFurther + 1))
      const failure = {
        at: first.span.end,
        issues: issue === undefined ? [] : [issue],
        further,
        ...(isFinal && { final: true as const }),
      }
      this.#failed = { safe: part.start, failure }
    }
    return this.#words.edits
  }

  #removals(start: number, links: readonly WrongLink[], reader: AnswerReader): Certificate[] {
    const from = Math.max(0, start - mostBefore)
    const text = this.#kept.slice({ start: from, end: this.#length })
    const inCode = (offset: number): boolean => this.#places.isCode({ start: from + offset, end: from + offset + 1 }, reader) === true
    const moved = links.map(({ wrong, span }) => ({ wrong, span: { start: span.start - from, end: span.end - from } }))
    return [...removals(text, moved, inCode)].map((one) => ({ ...one, span: { start: from + one.span.start, end: from + one.span.end } }))
  }
}
