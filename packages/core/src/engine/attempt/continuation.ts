import { tailOf } from '../feedback/feedback.ts'
import { mayGreet, secondGreeting } from './second-greeting.ts'

/** A reply that shares this much with the delivered text, and then leaves it, contradicts it. */
const contradictingPrefix = 12

/** An overlap of this many letters is not accidental. */
const leastOverlap = 8

/** This many consecutive letters that also occur early in the delivered text indicate another wording of it. */
const sameWords = 20
const restartWithin = 48

/** So much of a reply is looked at for a repetition before it is shown. */
const window = 256

/** The state of a reply that should continue delivered text. */
export type ContinuationStep =
  | { readonly kind: 'pending' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'contradiction' }

const pending: ContinuationStep = { kind: 'pending' }
const contradiction: ContinuationStep = { kind: 'contradiction' }

/** Fits a reply to the text that has been delivered: a repetition is cut off, a contradiction is noticed. */
export class Continuation {
  readonly #delivered: string
  /** The delivered text, without trailing white space. */
  readonly #core: string
  #reply = ''
  /** How much of the core the reply has repeated so far; -1 when it has left it. */
  #repeated = 0
  /** How much it had repeated when it left it. */
  #shared = 0
  /** The white space at the start of the reply. */
  #lead = 0
  #decided = false
  /** The white space after a repetition has already been delivered. */
  #skipsSpace = false
  readonly #restarts: boolean
  readonly #ended: boolean
  /** Fits what follows a greeting that was cut off. */
  #rest: Continuation | undefined

  /** With `restarts`, a contradiction follows the delivered text as a new paragraph; with `ended`, that text was an answer that came to its end. */
  constructor(delivered: string, restarts = false, ended = false) {
    this.#delivered = delivered
    this.#restarts = restarts
    this.#ended = ended
    this.#core = delivered.trimEnd()
  }

  /** Whether the reply has repeated all of the delivered text. */
  get isRepeated(): boolean {
    return this.#rest?.isRepeated ?? this.#repeated === this.#core.length
  }

  /** Whether it repeats so much of it that this is not by chance. */
  get isRepeating(): boolean {
    return this.#rest?.isRepeating ?? this.#repeated >= contradictingPrefix
  }

  /** Takes the next piece of the reply and returns what follows the delivered text, as far as that is decided. */
  push(chunk: string): ContinuationStep {
    if (this.#rest) return this.#rest.push(chunk)
    if (this.#decided) return { kind: 'text', text: this.#cutSpace(chunk) }
    const from = this.#reply.length
    this.#reply += chunk
    if (this.#repeated >= 0) this.#compare(chunk, from)
    if (this.isRepeated) return this.#takeRepetition()
    if (this.#repeated >= 0) return pending
    const isLong = this.#reply.length - this.#lead >= window
    if (!this.#contradicts()) return isLong ? this.#judge() : pending
    // It may only greet in the same words.
    if (!mayGreet(this.#reply)) return this.#contradict()
    return isLong ? this.#judge() : pending
  }

  /** Ends the reply. */
  end(): ContinuationStep {
    if (this.#rest) return this.#rest.end()
    if (this.#decided || this.#reply.trim() === '') return { kind: 'text', text: '' }
    if (this.#repeated >= 0 && this.#contradicts()) return this.#contradict()
    const step = this.#judge()
    return step.kind === 'pending' ? this.end() : step
  }

  /** Follows the reply along the delivered text; each character is looked at once. */
  #compare(chunk: string, from: number): void {
    for (let at = 0; at < chunk.length && this.#repeated >= 0 && this.#repeated < this.#core.length; at++) {
      const code = chunk.charCodeAt(at)
      if (this.#repeated === 0 && /\s/.test(chunk[at] as string) && code !== this.#core.charCodeAt(0)) this.#lead = from + at + 1
      else if (code === this.#core.charCodeAt(this.#repeated)) this.#repeated++
      else {
        this.#shared = this.#repeated
        this.#repeated = -1
      }
    }
  }

  #contradicts(): boolean {
    const shared = this.#repeated >= 0 ? this.#repeated : this.#shared
    // The end that was quoted may begin like the whole.
    if (this.#overlap() > 0) return false
    return shared >= contradictingPrefix || (shared > 0 && shared * 2 >= this.#core.length)
  }

  #contradict(): ContinuationStep {
    this.#decided = true
    return this.#restarts ? { kind: 'text', text: this.#paragraphBreak() + this.#reply.trimStart() } : contradiction
  }

  /** The line breaks that the delivered text lacks before a paragraph. */
  #paragraphBreak(): string {
    const breaks = this.#delivered.slice(this.#core.length).split('\n').length - 1
    return '\n'.repeat(Math.max(0, 2 - breaks))
  }

  #takeRepetition(): ContinuationStep {
    this.#decided = true
    this.#skipsSpace = this.#core.length < this.#delivered.length
    return { kind: 'text', text: this.#cutSpace(this.#reply.slice(this.#lead + this.#core.length)) }
  }

  #cutSpace(text: string): string {
    if (!this.#skipsSpace) return text
    const rest = text.trimStart()
    if (rest !== '') this.#skipsSpace = false
    return rest
  }

  /** Classifies a reply that does not repeat the whole: it repeats the end, starts over after other words, or continues. */
  #judge(): ContinuationStep {
    this.#decided = true
    const overlap = this.#overlap()
    if (overlap > 0) {
      this.#skipsSpace = this.#core.length < this.#delivered.length
      return { kind: 'text', text: this.#cutSpace(this.#reply.slice(this.#lead + overlap)) }
    }
    const greeting = secondGreeting(this.#reply, this.#delivered)
    if (greeting > 0) return this.#cutGreeting(greeting)
    if (this.#contradicts()) return this.#contradict()
    const start = this.#core.trimStart().slice(0, 2 * contradictingPrefix)
    const startsOver = start.length >= contradictingPrefix && this.#reply.slice(0, window).includes(start)
    return startsOver || this.#isAnotherAnswer() ? this.#contradict() : { kind: 'text', text: this.#gap() + this.#reply }
  }

  /** Leaves a greeting out: what follows it is fitted to the delivered text, with the space between them only where that lacks one. */
  #cutGreeting(length: number): ContinuationStep {
    this.#rest = new Continuation(this.#delivered, this.#restarts, this.#ended)
    const text = this.#reply.slice(length)
    return this.#rest.push(this.#core.length < this.#delivered.length ? text.trimStart() : text)
  }

  /** The space between two sentences that the model wrote in two answers. */
  #gap(): string {
    return this.#ended && /[.!?…]["')\]”’»*_]?$/u.test(this.#delivered.slice(-2)) && /^\p{Lu}/u.test(this.#reply) ? ' ' : ''
  }

  /** Whether the reply would be glued on in the middle of a word, or says soon what has been said before. */
  #isAnotherAnswer(): boolean {
    if (/\p{Ll}$/u.test(this.#delivered) && /^\p{Lu}/u.test(this.#reply)) return true
    const last = Math.min(restartWithin, this.#reply.length - sameWords)
    for (let at = this.#lead; at <= last; at++) if (this.#core.includes(this.#reply.slice(at, at + sameWords))) return true
    return false
  }

  /** Length of the longest end of the delivered text that the reply begins with. */
  #overlap(): number {
    const tail = tailOf(this.#delivered).trimEnd()
    const reply = this.#reply.slice(this.#lead, this.#lead + window)
    for (let length = Math.min(tail.length, reply.length); length >= leastOverlap; length--)
      if (tail.endsWith(reply.slice(0, length)) && reply.slice(0, length).trim().length >= leastOverlap) return length
    return 0
  }
}

/** Fits a reply to either of two texts: it contradicts what was delivered only when it contradicts both. */
export class EitherContinuation {
  readonly #first: Continuation
  readonly #second: Continuation
  /** The one that was decided on. */
  #chosen: Continuation | undefined

  constructor(first: Continuation, second: Continuation) {
    this.#first = first
    this.#second = second
  }

  /** Takes the next piece of the reply. */
  push(chunk: string): ContinuationStep {
    return this.#chosen?.push(chunk) ?? this.#choose(this.#first.push(chunk), this.#second.push(chunk))
  }

  /** Ends the reply. */
  end(): ContinuationStep {
    return this.#chosen?.end() ?? this.#choose(this.#first.end(), this.#second.end())
  }

  #choose(first: ContinuationStep, second: ContinuationStep): ContinuationStep {
    const isNearer = this.#second.isRepeated || (first.kind === 'text' && this.#second.isRepeating)
    const isSecond = first.kind === 'contradiction' || (isNearer && !this.#first.isRepeated)
    if (isSecond) this.#chosen = this.#second
    else if (first.kind === 'text') this.#chosen = this.#first
    return isSecond ? second : first
  }
}
