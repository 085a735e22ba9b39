import type { TextSpan } from '../../answer/span.ts'
import { TooManyReads } from './automaton.ts'
import { holds, isWord, type Side } from './parse-pattern.ts'
import type { Program, Step } from './program.ts'

/** Steps that a search may take for each character, beside some in any case: beyond this, a pattern with large counts would stall everybody. */
const freeSteps = 1_000_000
const mostSteps = 50

/** Text that is read again after a match that could have been longer: beyond this the search would not be linear. */
const freeAgain = 100_000
const mostAgain = 16

/** The matches that a search has found, and its position. */
interface SearchListener {
  /** Called as soon as a match is certain; `at` is the offset read so far. Returns whether to stop. */
  found(start: number, at: number): boolean
  /** Called for each match when its end is certain. */
  settled?(span: TextSpan): void
}

/** Finds the matches of a pattern, leftmost first and without overlaps, however the text is chunked: the simulation of Thompson and Pike. */
export class PatternSearch {
  readonly #program: readonly Step[]
  readonly #start: number
  readonly #beginsNone: Uint8Array
  readonly #listener: SearchListener
  /** The threads before the next character: step and start, by priority. */
  #threads: number[] = []
  #starts: number[] = []
  #nextThreads: number[] = []
  #nextStarts: number[] = []
  /** In which round a step was visited last. */
  readonly #visited: Float64Array
  #round = 0
  readonly #stack: number[] = []
  #before = -1
  #offset: number
  /** The match so far, which may become longer. */
  #matchStart = -1
  #matchEnd = -1
  /** The character before the end of the match. */
  #beforeEnd = -1
  /** The text from the end of the match on, as far as it came in earlier pieces. */
  #behind: string[] = []
  #again = 0
  #steps = 0
  #length = 0
  #isStopped = false

  constructor({ steps, start, beginsNone }: Program, listener: SearchListener, offset = 0) {
    this.#program = steps
    this.#start = start
    this.#beginsNone = beginsNone
    this.#listener = listener
    this.#offset = offset
    this.#visited = new Float64Array(steps.length)
  }

  /** From where on what was read may still become a match or part of one. */
  get open(): number {
    const first = this.#starts[0] ?? this.#offset
    return this.#matchStart >= 0 && this.#matchStart < first ? this.#matchStart : first
  }

  /** Takes the next piece of text, which does not end inside of a character. */
  push(text: string): void {
    this.#length += text.length
    this.#consume(text)
  }

  /** Ends the text. */
  end(): void {
    while (!this.#isStopped) {
      this.#step(-1)
      if (this.#matchStart < 0) return
      const behind = this.#matchEnd === this.#offset ? '' : this.#behind.join('')
      const at = this.#settle(behind, 0)
      if (at >= behind.length) return
      this.#countAgain(behind.length - at)
      this.#consume(behind.slice(at))
    }
  }

  #consume(text: string): void {
    let input = text
    let at = 0
    // Where the match so far ends in `input`, when it does.
    let end = -1
    while (at < input.length && !this.#isStopped) {
      if (this.#threads.length === 0 && this.#matchStart < 0) {
        at = this.#skip(input, at)
        if (at === input.length) break
      }
      const code = input.codePointAt(at) as number
      if (this.#step(code)) end = at
      at += code > 0xffff ? 2 : 1
      if (this.#matchStart < 0 || this.#threads.length > 0) continue
      // The match is as long as it gets: go on after it.
      if (end < 0) {
        const behind = this.#behind.join('')
        input = behind + input
        at += behind.length
        end = 0
      }
      const next = this.#settle(input, end)
      this.#countAgain(at - next)
      at = next
      end = -1
    }
    if (this.#matchStart < 0) return
    if (end >= 0) this.#behind = [input.slice(end)]
    else this.#behind.push(input)
  }

  /** Skips characters with which no match begins, when none has begun. */
  #skip(input: string, from: number): number {
    let at = from
    let before = this.#before
    for (; at < input.length; at++) {
      const code = input.charCodeAt(at)
      if (code > 127 || this.#beginsNone[placeOf(before, code)] !== 1) break
      before = code
    }
    this.#offset += at - from
    this.#before = before
    return at
  }

  #countAgain(length: number): void {
    this.#again += length
    if (this.#again > mostAgain * this.#length + freeAgain) throw new TooManyReads('the text would have to be read too often')
  }

  /** Reads one character, or the end when `code` is negative; returns whether the match so far ends before it. */
  #step(code: number): boolean {
    if (this.#steps > mostSteps * this.#length + freeSteps) throw new TooManyReads('the pattern takes too many steps')
    const offset = this.#offset
    const after = sideOf(code)
    const before = sideOf(this.#before)
    const wasIdle = this.#threads.length === 0 && this.#matchStart < 0
    this.#round++
    this.#nextThreads.length = 0
    this.#nextStarts.length = 0
    let ended = false
    for (let index = 0; index < this.#threads.length && !ended; index++)
      ended = this.#follow(this.#threads[index] as number, this.#starts[index] as number, code, before, after)
    if (!ended && this.#matchStart < 0) ended = this.#follow(this.#start, offset, code, before, after)
    const threads = this.#threads
    const starts = this.#starts
    this.#threads = this.#nextThreads
    this.#starts = this.#nextStarts
    this.#nextThreads = threads
    this.#nextStarts = starts
    if (wasIdle && !ended && this.#threads.length === 0 && code >= 0 && code < 128) this.#beginsNone[placeOf(this.#before, code)] = 1
    if (code >= 0) this.#offset += code > 0xffff ? 2 : 1
    if (ended) this.#beforeEnd = this.#before
    this.#before = code
    return ended
  }

  /** Follows a thread over everything that takes no character; returns whether it matches, so that those after it are out. */
  #follow(from: number, start: number, code: number, before: Side, after: Side): boolean {
    const stack = this.#stack
    stack.length = 0
    stack.push(from)
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      this.#steps++
      if (this.#visited[pc] === this.#round) continue
      this.#visited[pc] = this.#round
      const step = this.#program[pc] as Step
      if (step.type === 'take') {
        if (code >= 0 && step.set.has(code)) this.#add(step.next, start)
      } else if (step.type === 'split') stack.push(step.second, step.first)
      else if (step.type === 'match') {
        const isNew = this.#matchStart < 0
        this.#matchStart = start
        this.#matchEnd = this.#offset
        if (isNew && this.#listener.found(start, this.#offset + (code < 0 ? 0 : code > 0xffff ? 2 : 1))) this.#isStopped = true
        return true
      } else if (holds(step.assertion, before, after)) stack.push(step.next)
    }
    return false
  }

  #add(pc: number, start: number): void {
    this.#nextThreads.push(pc)
    this.#nextStarts.push(start)
  }

  /** Closes the match and goes back to its end, which is at `end` in `input`; gives where to read on. */
  #settle(input: string, end: number): number {
    const span = { start: this.#matchStart, end: this.#matchEnd }
    this.#listener.settled?.(span)
    this.#threads.length = 0
    this.#starts.length = 0
    this.#matchStart = -1
    this.#behind = []
    this.#offset = span.end
    this.#before = this.#beforeEnd
    if (span.end > span.start) return end
    // An empty match is followed by the next character at least.
    const code = input.codePointAt(end)
    if (code === undefined) return end
    const width = code > 0xffff ? 2 : 1
    this.#offset += width
    this.#before = code
    return end + width
  }
}

/** The place of an ASCII character in what is learned, by what is before it. */
function placeOf(before: number, code: number): number {
  return (before < 0 ? 0 : isWord(before) ? 128 : 256) + code
}

/** What a character is to an assertion; a negative one is an edge of the text. */
function sideOf(code: number): Side {
  if (code < 0) return 'edge'
  return isWord(code) ? 'word' : 'other'
}
