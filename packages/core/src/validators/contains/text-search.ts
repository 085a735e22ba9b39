import type { TextSpan } from '../../answer/span.ts'
import { Characters, type MatchedCharacter } from './characters.ts'

/** A state of the automaton: how much of which texts has been read. */
interface State {
  readonly next: Map<number, State>
  /** The state of the longest end of what was read that some text begins with. */
  fallback: State | undefined
  readonly depth: number
  /** How long its longest end is that one of the texts begins with that must not be shown before they are judged. */
  held: number
  /** The texts that end here, longest first. */
  readonly found: number[]
}

/** Finds many texts in one pass (Aho and Corasick): texts and input are lists of symbols. */
class Automaton {
  readonly root: State = { next: new Map(), fallback: undefined, depth: 0, held: 0, found: [] }

  /** The first texts, so many, are held. */
  constructor(texts: readonly (readonly number[])[], held: readonly boolean[]) {
    for (const [index, text] of texts.entries()) this.#add(text, index, held[index] === true)
    const queue = [...this.root.next.values()]
    for (const state of queue) state.fallback = this.root
    // It grows while it is gone through.
    for (const state of queue) {
      for (const [symbol, next] of state.next) {
        next.fallback = this.step(state.fallback ?? this.root, symbol)
        next.found.push(...next.fallback.found)
        next.held = Math.max(next.held, next.fallback.held)
        queue.push(next)
      }
    }
  }

  /** The state after one more symbol. */
  step(from: State, symbol: number): State {
    for (let state: State | undefined = from; state !== undefined; state = state.fallback) {
      const next = state.next.get(symbol)
      if (next !== undefined) return next
    }
    return this.root
  }

  #add(text: readonly number[], index: number, isHeld: boolean): void {
    let state = this.root
    for (const symbol of text) {
      let next = state.next.get(symbol)
      if (next === undefined) {
        next = { next: new Map(), fallback: undefined, depth: state.depth + 1, held: 0, found: [] }
        state.next.set(symbol, next)
      }
      state = next
      if (isHeld) state.held = state.depth
    }
    state.found.push(index)
  }
}

/** How texts are compared. */
interface Comparison {
  readonly wholeWords: boolean
  readonly caseSensitive: boolean
}

/** Texts to look for, prepared once for many answers. */
export class SoughtTexts {
  readonly characters: Characters
  readonly automaton: Automaton
  readonly wholeWords: boolean
  /** How many symbols each text has. */
  readonly lengths: readonly number[]
  readonly longest: number

  /** A stream holds what may become one of the texts for which `held` says so. */
  constructor(texts: readonly string[], { wholeWords, caseSensitive }: Comparison, held: readonly boolean[] = []) {
    this.characters = new Characters(caseSensitive)
    const symbols = texts.map((text) => this.characters.symbolsOf(text))
    this.automaton = new Automaton(symbols, held)
    this.wholeWords = wholeWords
    this.lengths = symbols.map(({ length }) => length)
    this.longest = Math.max(1, ...this.lengths)
  }
}

/** Takes a text that was found, with the offset at which that is certain. */
type TakeText = (index: number, span: TextSpan, at: number) => void

/** Finds texts, each without overlaps, however the input is chunked. */
export class TextSearch {
  readonly #sought: SoughtTexts
  #state: State
  #length = 0
  /** Of the last symbols: where their character starts, whether they are its first one, and whether a word may begin there. */
  readonly #starts: Float64Array
  readonly #opens: Uint8Array
  #symbols = 0
  #last: number | undefined
  #before: MatchedCharacter | undefined
  #end = 0
  /** Up to which symbol each text has been counted. */
  readonly #counted: number[]

  readonly #take: TakeText

  constructor(sought: SoughtTexts, take: TakeText) {
    this.#sought = sought
    this.#take = take
    this.#state = sought.automaton.root
    this.#counted = sought.lengths.map(() => 0)
    this.#starts = new Float64Array(sought.longest)
    this.#opens = new Uint8Array(sought.longest)
  }

  /** From where on what was read may still become one of the texts that are held. */
  get open(): number {
    const { held } = this.#state
    return held === 0 ? this.#length : (this.#starts[(this.#symbols - held) % this.#sought.longest] as number)
  }

  /** Moves on over text that is not looked at. */
  skipTo(offset: number): void {
    this.#length = offset
  }

  /** Takes the next piece of text. */
  push(text: string): void {
    const { characters, automaton } = this.#sought
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at) as number
      const width = code > 0xffff ? 2 : 1
      const character = characters.of(code)
      const start = this.#length
      at += width
      this.#length += width
      if (characters.skips(character.symbols, this.#last)) continue
      if (this.#state.found.length > 0) this.#confirm(character)
      this.#read(character, start, automaton)
    }
  }

  /** Ends the text. */
  end(): void {
    if (this.#state.found.length > 0) this.#confirm(undefined)
  }

  #read(character: MatchedCharacter, start: number, automaton: Automaton): void {
    const { longest, wholeWords } = this.#sought
    const opens = !wholeWords || isBreak(this.#before, character)
    for (const [index, symbol] of character.symbols.entries()) {
      const slot = this.#symbols++ % longest
      this.#starts[slot] = start
      this.#opens[slot] = index === 0 && opens ? 1 : 0
      this.#state = automaton.step(this.#state, symbol)
      this.#last = symbol
    }
    this.#before = character
    this.#end = this.#length
  }

  /** Takes the texts that ended with the character before this one. */
  #confirm(next: MatchedCharacter | undefined): void {
    if (next?.extends || (this.#sought.wholeWords && !isBreak(this.#before, next))) return
    for (const index of this.#state.found) {
      const length = this.#sought.lengths[index] as number
      const from = this.#symbols - length
      const slot = from % this.#sought.longest
      if (from < (this.#counted[index] as number) || this.#opens[slot] === 0) continue
      this.#counted[index] = this.#symbols
      this.#take(index, { start: this.#starts[slot] as number, end: this.#end }, this.#length)
    }
  }
}

/** Whether a word may end or begin between two characters. */
function isBreak(before: MatchedCharacter | undefined, next: MatchedCharacter | undefined): boolean {
  return !before?.isWord || !next?.isWord || before.isUnspaced || next.isUnspaced
}
