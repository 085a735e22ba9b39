import { hasVisible, isHighSurrogate } from '../../answer/characters.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import { type Clock, systemClock } from '../../contract/ports.ts'
import type { CheckContext } from '../../contract/validator.ts'
import type { Executor } from '../executor.ts'
import type { StopSignal } from '../stop.ts'
import type { WaitLimit } from '../waiting/wait-at-most.ts'
import { cutPlace, type EditedPlace } from './editor.ts'
import { Editors, editingValidators } from './editors.ts'
import { type DoomSearch, searchDoom } from './failure-search.ts'
import { type Doom, Machines } from './machines.ts'

/** A piece of released text. */
interface ReleasedPiece {
  readonly text: string
  /** How many characters of the model's text it stands for, when it was edited. */
  readonly raw?: number
  readonly certificates?: readonly Certificate[]
}

/** What a chunk brought: text that may be shown now, or the end of a doomed answer. */
interface StreamStep {
  readonly released: string
  /** The released text in pieces, when some of it was edited. */
  readonly pieces?: readonly ReleasedPiece[]
  readonly doom?: Doom
}

/** What has been shown of an answer that was edited on the way. */
export interface EditedAnswer {
  /** The model's text, with the changes made that have been shown. */
  readonly text: string
  readonly certificates: readonly Certificate[]
}

/** What a chunk brought, when the reason of a doom is still to be found: it is what the search finds, or else `doom`. */
export interface OpenStep extends StreamStep {
  readonly search?: DoomSearch
  /** Whether a verdict is awaited: `settle` before the next chunk. */
  readonly waits?: true
}

/** What surrounds a stream. */
interface StreamSetting {
  readonly executor?: Executor | undefined
  /** Limits the wait for verdicts, as `stop` does. */
  readonly clock?: Clock
  readonly stop?: StopSignal
}

/** How a stream is released. */
export interface StreamRules {
  readonly release: Contract['policy']['stream']
  /** Whether a failure that a validator knows a repair for can still be repaired at the end. */
  readonly repairs: boolean
  /** Whether a failure ends the stream; otherwise the rest is held and checked as a whole. */
  readonly stops: boolean
  /** Whether no further attempt may follow, so that the last resort may be tried; taken to be so unless it is said. */
  readonly mayBeLast?: boolean
  /** Whether a reply that contradicts what was shown follows it as a new paragraph; otherwise it ends the stream. */
  readonly restarts?: boolean
}

const nothingReleased: StreamStep = { released: '' }
const waiting: OpenStep = { released: '', waits: true }

/** Reads a stream once and releases exactly the smallest prefix that every validator calls safe. */
export class VerifiedStream {
  readonly #held = new HeldText()
  readonly #start: () => Machines
  readonly #rules: StreamRules
  readonly #limit: WaitLimit
  /** Absent where text is only passed on or held: what is held to its end need not be read by and by. */
  readonly #machines: Machines | undefined
  #visible = false
  /** A high surrogate at the end of a chunk waits for its other half. */
  #half = ''
  /** Where the last chunk began. */
  #before = 0
  /** Absent where nothing is edited on the way, as in nearly all contracts. */
  readonly #editors: Editors | undefined
  /** What the model wrote, when it is edited. */
  readonly #raw: string[] = []
  #rawLength = 0
  /** Edited places that have not been released, and what has been edited in all. */
  readonly #places: EditedPlace[] = []
  readonly #edited: EditedPlace[] = []
  /** What the last chunk brought to be judged. */
  #latest = ''
  /** How much of the model's text has been released. */
  #rawReleased = 0
  /** How much text an earlier attempt has shown. */
  #delivered = 0

  constructor(contract: Contract, context: CheckContext, rules: StreamRules, setting: StreamSetting = {}) {
    const { executor, clock = systemClock, stop } = setting
    this.#rules = rules
    this.#limit = { clock, timeoutMs: contract.policy.timeoutMs, stop }
    const reads = rules.release === 'verified' || (rules.release === 'hold' && rules.stops)
    const editing = reads ? editingValidators(contract, rules.repairs, executor) : []
    this.#editors = editing.length > 0 ? new Editors(editing, context) : undefined
    // Editors judge the edited text with all others: an edit may bring up something new.
    const start = (): Machines => new Machines(contract, context, executor, rules.mayBeLast)
    this.#start = start
    this.#machines = reads ? start() : undefined
  }

  /** The reader that has seen all text, when one has. */
  get reader(): AnswerReader | undefined {
    return this.#editors ? this.#editors.reader : this.#machines?.reader
  }

  /** The checks that have read the text as the model wrote it, and are still to be ended. */
  get live(): Machines | undefined {
    return this.#edited.length === 0 ? this.#machines : undefined
  }

  /** All text so far, as the model wrote it. */
  get text(): string {
    return (this.#editors ? this.#raw.join('') : this.#held.text) + this.#half
  }

  /** How many characters there are so far. */
  get length(): number {
    return (this.#editors ? this.#rawLength : this.#held.length) + this.#half.length
  }

  /** The part of the text that the last chunk brought to be judged: the chunk itself where nothing is edited. */
  judgedOf(chunk: string): string {
    return this.#editors ? this.#latest : chunk
  }

  /** The text that has been judged, before an offset: with the changes that were made on the way. */
  judged(end: number): EditedAnswer {
    if (this.#editors === undefined) return { text: this.text.slice(0, end), certificates: [] }
    const before = this.#edited.filter(({ start }) => start < end)
    return { text: this.#held.text.slice(0, end), certificates: before.flatMap(({ certificates }) => certificates) }
  }

  /** What has been shown, and behind it the rest as the model wrote it; undefined when nothing that was shown was edited. */
  get edited(): EditedAnswer | undefined {
    const { released } = this.#held
    const shown = this.#edited.filter(({ start }) => start < released)
    const certificates = shown.flatMap((place) => place.certificates)
    if (certificates.length === 0) return undefined
    const end = Math.max(released, shown.at(-1)?.end ?? 0)
    return { text: this.#held.text.slice(0, end) + this.text.slice(this.#rawReleased), certificates }
  }

  /** How far the text has been released. */
  get released(): number {
    return this.#held.released
  }

  /** What has been released, as the model wrote it. */
  get written(): string {
    return this.#editors === undefined ? this.#held.text.slice(0, this.#held.released) : this.text.slice(0, this.#rawReleased)
  }

  /** How far the text may be shown as far as all validators but this one are concerned. */
  safeBeside(validator: ActiveValidator): number {
    if (this.#rules.release === 'pass') return this.#held.length
    return this.#rules.release === 'hold' ? 0 : (this.#machines?.safeBeside(validator) ?? 0)
  }

  /** Takes text that has been delivered by an earlier attempt. */
  async resume(delivered: string): Promise<void> {
    this.#delivered += delivered.length
    this.#read(delivered, true)
    if (this.#editors === undefined) this.#held.releaseTo(this.#held.length)
    else this.#pass()
    if (this.#machines?.waits) await this.#machines.settle(this.#limit)
  }

  /** Takes the next chunk, and waits for nothing: a check that would have to wait holds the text. */
  push(chunk: string): StreamStep {
    const step = this.take(chunk)
    if (step.search === undefined) return step
    for (;;) {
      const { done, value } = step.search.next()
      if (done) return value === undefined ? { released: '', ...(step.doom ? { doom: step.doom } : {}) } : { released: '', doom: value }
    }
  }

  /** Takes the next chunk, and leaves the search for the reason of a doom to the caller. */
  take(chunk: string): OpenStep {
    const whole = this.#joinSurrogates(chunk)
    this.#latest = ''
    if (whole === '') return nothingReleased
    this.#before = this.#held.length
    this.#read(whole)
    return this.#step()
  }

  /** Waits for the verdicts that the last chunk needs, and goes on with what they bring. */
  async settle(): Promise<OpenStep> {
    await this.#machines?.settle(this.#limit)
    return this.#step()
  }

  #step(): OpenStep {
    const doom = this.#rules.stops ? this.#machines?.doom(this.#rules.repairs) : undefined
    // What is doomed already is not shown; why it is may depend on a verdict.
    if (doom) return this.#machines?.waits ? waiting : { released: '', doom, ...this.#search(this.#before) }
    if (this.#editors) this.#pass()
    const safe = this.#safe()
    if ((this.#places[0]?.start ?? safe) < safe) return this.#editedStep(safe)
    const released = this.#held.releaseTo(safe)
    this.#rawReleased += released.length
    if (this.#machines?.waits) return { released, waits: true }
    return released === '' ? nothingReleased : { released }
  }

  /** Releases text of which some spans were edited. */
  #editedStep(safe: number): OpenStep {
    const pieces = this.#releasePieces(safe)
    const released = pieces.map(({ text }) => text).join('')
    return { released, pieces, ...(this.#machines?.waits && { waits: true }) }
  }

  #releasePieces(safe: number): ReleasedPiece[] {
    const pieces: ReleasedPiece[] = []
    const plain = (end: number): void => {
      const text = this.#held.releaseTo(end)
      this.#rawReleased += text.length
      if (text !== '') pieces.push({ text })
    }
    for (let place = this.#places[0]; place !== undefined && place.start < safe; place = this.#places[0]) {
      plain(place.start)
      const [now, later] = place.end > safe ? cutPlace(place, safe) : [place]
      if (later === undefined) this.#places.shift()
      else this.#places[0] = later
      pieces.push({ text: this.#held.releaseTo(now.end), raw: now.raw, certificates: now.certificates })
      this.#rawReleased += now.raw
    }
    plain(safe)
    return pieces
  }

  /** Passes over text that an earlier attempt has shown, as soon as it is settled again. */
  #pass(): void {
    const { released } = this.#held
    if (released >= this.#delivered) return
    this.#rawReleased += this.#held.releaseTo(Math.min(this.#delivered, this.#held.length)).length
  }

  /** Ends the text: nothing more is released before the verdict. */
  end(): void {
    if (this.#half !== '') this.#read(this.#half)
    this.#half = ''
    this.reader?.end()
  }

  #read(chunk: string, isDelivered = false): void {
    this.#visible ||= hasVisible(chunk)
    const text = this.#editors === undefined ? chunk : this.#edit(this.#editors, chunk, isDelivered)
    if (text === '') return
    this.#held.push(text)
    this.#machines?.read(text)
  }

  #edit(editors: Editors, chunk: string, isDelivered: boolean): string {
    this.#raw.push(chunk)
    this.#rawLength += chunk.length
    const { text, places } = isDelivered ? editors.resume(chunk) : editors.push(chunk)
    for (const place of places) {
      this.#places.push(place)
      this.#edited.push(place)
    }
    this.#latest = text
    return text
  }

  #safe(): number {
    // An answer of which nothing is seen is no answer, and must not be shown as the start of one.
    if (!this.#visible || this.#rules.release === 'hold') return 0
    if (this.#rules.release === 'pass') return this.#held.length
    return this.#machines?.safe ?? 0
  }

  /** Why the answer is doomed must be the same for every way to cut it into chunks. */
  #search(before: number): Pick<OpenStep, 'search'> {
    if (!this.#machines?.several || this.#held.length - before <= 1) return {}
    return { search: searchDoom(this.#start, this.#held.text, before, this.#rules.repairs, this.#limit) }
  }

  #joinSurrogates(chunk: string): string {
    const text = this.#half === '' ? chunk : this.#half + chunk
    const splits = isHighSurrogate(text.charCodeAt(text.length - 1))
    this.#half = splits ? text.slice(-1) : ''
    return splits ? text.slice(0, -1) : text
  }
}

/** The text of a stream, and how far it has been released: releasing costs what is released. */
class HeldText {
  /** What is not released yet: first the text behind `#taken` in `#front`, which is not added to, then `#rest`. */
  #front = ''
  #taken = 0
  #rest = ''
  readonly #pieces: string[] = []

  /** How far the text has been released. */
  released = 0
  length = 0

  /** All text so far; joined, because checks read the characters of a sum of strings more slowly. */
  get text(): string {
    return this.#pieces.join('')
  }

  /** Adds a piece. */
  push(piece: string): void {
    this.length += piece.length
    this.#pieces.push(piece)
    if (this.#taken < this.#front.length) this.#rest += piece
    else {
      this.#front = piece
      this.#taken = 0
    }
  }

  /** Takes the text up to an offset. */
  releaseTo(offset: number): string {
    const count = Math.min(offset, this.length) - this.released
    if (count <= 0) return ''
    this.released += count
    const front = this.#front
    const from = this.#taken
    const more = count - (front.length - from)
    if (more < 0) {
      this.#taken += count
      return front.slice(from, this.#taken)
    }
    const first = from === 0 ? front : front.slice(from)
    const released = more === 0 ? first : first + this.#rest.slice(0, more)
    this.#front = this.#rest
    this.#taken = more
    this.#rest = ''
    return released
  }
}
