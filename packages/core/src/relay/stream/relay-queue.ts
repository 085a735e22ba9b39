import type { Frames } from '../../apis/shared/sse-frames.ts'
import type { Wire, WireChanges, WireEvent } from '../../apis/shared/wire.ts'
import type { CallRelay } from '../calls/upstream-call.ts'
import { EditedLane } from './edited-choice.ts'

/** What has arrived and is not shown yet: the events of a provider, or those that are made. */
interface QueuedEvents extends Pick<CallRelay, 'events' | 'lengths' | 'forget' | 'repeated' | 'isShown'> {
  readonly wire?: Pick<Wire, 'repeatedWriter'>
}

/** The constants of a call's events. */
export interface QueueSettings {
  readonly relay: QueuedEvents
  /** Fields that are written into every event. */
  readonly changes: Pick<WireChanges, 'model' | 'id' | 'choice'>
  /** Whether the call requested one choice. */
  readonly isSingle: boolean
  /** Whether everything is shown as it arrives. */
  readonly isLive: boolean
  /** Whether events without text are shown as soon as nothing before them waits. */
  readonly isEager?: boolean
  /** Whether the client wants events that only report usage. */
  readonly wantsUsage: boolean
  /** Whether an earlier attempt has opened the answer. */
  readonly isOpen: boolean
  /** Where the events of the stream go. */
  readonly out: Frames
  /** Writes an event after those that the client has. */
  readonly write: (event: WireEvent, changes: WireChanges) => void
  /**
   * An event, safe to show, without references to anything but web addresses; undefined when
   * nothing else is in it.
   */
  readonly sound: (event: WireEvent) => WireEvent | undefined
  /** Whether an event waits for others, because what is beside its text may go on. */
  readonly holds: (event: WireEvent) => boolean
  /** Prepares `sound` for all that has arrived, if that is long work; others have their turn meanwhile. */
  readonly prepare: (pause: () => Promise<void>) => Promise<void> | undefined
}

/**
 * The queue of events from a call to the client: each waits until its text is released, and all
 * keep their order.
 */
export class RelayQueue {
  readonly #settings: QueueSettings
  readonly #writeRepeated: ((data: string) => string) | undefined
  /** The first event that has not been shown, and how much of its text has. */
  #next = 0
  #offset = 0
  /** The first event that has not been read. */
  #seen = 0
  /** Released text of each choice that has not been shown. */
  readonly #credit: number[] = []
  /** Choices that are answered by another call. */
  readonly #left = new Set<number>()
  /** The last event with text of each choice. */
  readonly #lastText: (WireEvent | string)[] = []
  readonly #shownLength: number[] = []
  /** Of each choice with edited text: what is shown in place of the provider's text. */
  readonly #edited: (EditedLane | undefined)[] = []
  /** Whether the last written event, which others may repeat, had references that are not shown. */
  #isUnsound = false
  #hasShown = false
  /** The texts of the events that are left, by what they are part of, and which event ends each choice last; gathered once all have arrived. */
  readonly #rest = new Map<string, string[]>()
  readonly #lastEnds = new Map<number, number>()

  constructor(settings: QueueSettings) {
    const { relay, changes } = settings
    this.#settings = settings
    this.#writeRepeated = relay.wire?.repeatedWriter?.(changes)
  }

  /** Whether the client has seen anything of it. */
  get hasShown(): boolean {
    return this.#hasShown
  }

  /** Whether everything is shown as it arrives. */
  get isLive(): boolean {
    return this.#settings.isLive
  }

  /** How many characters of a choice the client has seen. */
  shownLength(choice: number): number {
    return this.#shownLength[choice] ?? 0
  }

  /** What has to be awaited before the first events are shown. */
  prepare(pause: () => Promise<void>): Promise<void> | undefined {
    return this.#hasShown ? undefined : this.#settings.prepare(pause)
  }

  /** Releases more text of a choice. */
  release(choice: number, length: number): void {
    this.#credit[choice] = (this.#credit[choice] ?? 0) + length
  }

  /** Releases a replacement for more text of a choice. */
  replace(choice: number, length: number, text: string): void {
    this.#edited[choice] ??= new EditedLane(this.shownLength(choice))
    this.#edited[choice].add(this.#credit[choice] ?? 0, length, text)
    this.release(choice, length)
  }

  /** Marks a choice as answered by another call: nothing more of it is shown. */
  leave(choice: number): void {
    this.#left.add(choice)
  }

  /** Marks a choice as answered by this call after all. */
  rejoin(choice: number): void {
    this.#left.delete(choice)
  }

  /** Writes what is released. */
  flush(): void {
    const { relay, isLive, isEager } = this.#settings
    while (this.#seen < relay.events.length) {
      const item = relay.events[this.#seen] as WireEvent | string
      const step = isLive ? liveStep(item) : this.#step(item, relay.lengths[this.#seen] ?? 0)
      if (step === 'wait') break
      if (step === 'split') {
        this.#upTo(this.#seen)
        this.#piece(item)
        break
      }
      this.#seen++
      if (step === 'show' || isEager) this.#upTo(this.#seen)
    }
  }

  /** Writes everything that has arrived, for an answer without checks. */
  drain(): void {
    this.#seen = this.#settings.relay.events.length
    this.#upTo(this.#seen)
  }

  /**
   * Writes events that are shown unchanged: each holds one of the released texts and nothing else.
   * Returns the number of those texts.
   */
  showAsCame(choice: number, texts: readonly string[]): number {
    const { relay, isSingle, isLive, out } = this.#settings
    const write = this.#writeRepeated
    if (write === undefined || !isSingle || isLive || this.#isUnsound || choice !== 0 || this.#left.size > 0 || this.#edited[0]) return 0
    if (this.#seen !== this.#next || this.#offset !== 0 || (this.#credit[0] ?? 0) !== 0) return 0
    const { events, lengths } = relay
    let frames = ''
    let count = 0
    let shown = 0
    for (let at = this.#next; count < texts.length; at++, count++) {
      const item = events[at]
      const length = texts[count]?.length ?? 0
      if (typeof item !== 'string' || length === 0 || lengths[at] !== length) break
      frames += write(item)
      this.#lastText[0] = item
      relay.forget(at)
      shown += length
    }
    if (count === 0) return 0
    out.add(frames)
    this.#next += count
    this.#seen = this.#next
    this.#shownLength[0] = this.shownLength(0) + shown
    this.#shown()
    return count
  }

  /** Reads the events that are left, before `rest`, `ends` and `finish`; others have their turn after every few hundred. */
  async gather(pause: () => Promise<void>): Promise<void> {
    const { events } = this.#settings.relay
    this.#rest.clear()
    for (let at = this.#next; at < events.length; at++) {
      const event = this.#eventAt(at)
      for (const part of event.parts) {
        const key = partKey(part)
        const text = part.of === 'text' && at === this.#next ? part.value.slice(this.#offset) : part.value
        const known = this.#rest.get(key)
        if (known === undefined) this.#rest.set(key, [text])
        else known.push(text)
      }
      for (const choice of event.ends ?? none) this.#lastEnds.set(choice, at)
      if ((at - this.#next) % eventsPerTurn === eventsPerTurn - 1) await pause()
    }
    await this.#settings.prepare(pause)
  }

  /** The remaining texts of a choice, in pieces; the first may have been shown in part. */
  rest(choice: number, of: 'text' | number = 'text', isName?: true): readonly string[] {
    return this.#rest.get(partKey({ choice, of, isName })) ?? noTexts
  }

  /** Whether an event that ends the choice is still expected. */
  ends(choice: number): boolean {
    return this.#lastEnds.has(choice)
  }

  /** Writes one more piece of text after everything shown of a choice; false when nothing was. */
  append(choice: number, text: string): boolean {
    const last = this.#lastText[choice]
    if (last === undefined) return false
    const event = typeof last === 'string' ? this.#settings.relay.repeated(last) : last
    this.#write(event, { parts: [text], isPartial: true })
    return true
  }

  /** Writes everything that is left, and gives its frames piece by piece; those of usage-only events go to `keepUsage`, if given. */
  *finish(
    finals: ReadonlyMap<number, FinalParts>,
    usage: WireChanges['usage'],
    keepUsage?: (frame: string) => void,
  ): Generator<string, void> {
    const { relay, out } = this.#settings
    const mayRemove = [...finals.values()].some((final) => final.isRepaired)
    for (let count = 1; this.#next < relay.events.length; this.#next++, count++) {
      if (count % eventsPerTurn === 0 || out.length > largeFrames) yield out.take()
      const offset = this.#offset
      this.#offset = 0
      const event = this.#eventAt(this.#next)
      const ended = (event.ends ?? none).filter((choice) => this.#lastEnds.get(choice) === this.#next).map((choice) => finals.get(choice))
      for (const final of ended) final?.before?.()
      const parts = event.parts.map((part) => finals.get(part.choice)?.take(part) ?? part.value.slice(part.of === 'text' ? offset : 0))
      if (event.choices?.some((choice) => finals.get(choice)?.skips?.(event))) continue
      const members = Object.assign({}, ...ended.map((final) => final?.members))
      const changes: WireChanges = {
        ...(parts.some((value, at) => value !== event.parts[at]?.value) && { parts }),
        ...(offset > 0 && { offset }),
        ...(ended.length > 0 && { members }),
        ...(usage && { usage }),
        ...(mayRemove && { mayRemove, isEdited: mayRemove }),
      }
      if (event.isUsage && keepUsage !== undefined) keepUsage(out.made(() => this.#write(event, changes)))
      else this.#write(event, changes)
    }
    this.#seen = this.#next
    yield out.take()
  }

  /** What may be done with the next event. */
  #step(item: WireEvent | string, length: number): 'wait' | 'pass' | 'split' | 'show' {
    if (typeof item === 'string' && this.#settings.isSingle) return this.#spend(0, length)
    const event = typeof item === 'string' ? this.#settings.relay.repeated(item) : item
    if (event.place === 'close' || event.isUnread || this.#settings.holds(event)) return 'wait'
    let spent: 'pass' | 'show' = 'pass'
    const texts = event.parts.filter(({ of, choice }) => of === 'text' && !this.#left.has(choice))
    if (event.parts.some(({ of, choice }) => of !== 'text' && !this.#left.has(choice))) return 'wait'
    if (texts.length === 1 && texts[0] !== undefined) return this.#spend(texts[0].choice, texts[0].value.length)
    if (texts.some(({ choice, value }) => (this.#credit[choice] ?? 0) < value.length)) return 'wait'
    for (const { choice, value } of texts) {
      this.#credit[choice] = (this.#credit[choice] ?? 0) - value.length
      if (value !== '') spent = 'show'
    }
    return spent
  }

  /** Shows a text as far as it is released. */
  #spend(choice: number, whole: number): 'wait' | 'pass' | 'split' | 'show' {
    const length = whole - (this.#seen === this.#next ? this.#offset : 0)
    if (length === 0) return whole === 0 ? 'pass' : 'show'
    const credit = this.#credit[choice] ?? 0
    if (credit === 0) return 'wait'
    if (credit < length) return 'split'
    this.#credit[choice] = credit - length
    return 'show'
  }

  /** Writes the events before a position. */
  #upTo(end: number): void {
    const { relay } = this.#settings
    for (; this.#next < end; this.#next++) {
      const item = relay.events[this.#next] as WireEvent | string
      this.#whole(item)
      // Shown events are no longer needed.
      relay.forget(this.#next)
    }
  }

  #whole(item: WireEvent | string): void {
    const offset = this.#offset
    this.#offset = 0
    const isPlain = offset === 0 && this.#edited[0] === undefined && !this.#isUnsound
    if (typeof item === 'string' && isPlain && this.#writeRepeated !== undefined && this.#settings.isSingle) {
      this.#lastText[0] = item
      this.#shownLength[0] = this.shownLength(0) + (this.#settings.relay.lengths[this.#next] ?? 0)
      this.#shown()
      this.#settings.out.add(this.#writeRepeated(item))
      return
    }
    const event = typeof item === 'string' ? this.#settings.relay.repeated(item) : item
    if (this.#edited.length > 0) this.#write(event, { parts: this.#editedParts(event, offset), offset, isEdited: true })
    else this.#write(event, offset === 0 ? {} : { parts: event.parts.map(({ value }) => value.slice(offset)), offset })
  }

  /** The parts of an event as they are shown, from an offset on. */
  #editedParts({ parts }: WireEvent, offset: number): string[] {
    return parts.map(({ of, choice, value }) => {
      const rest = value.slice(offset)
      return of === 'text' && !this.#left.has(choice) ? (this.#edited[choice]?.take(rest) ?? rest) : rest
    })
  }

  /** Writes a part of the text of an event, whose rest follows later. */
  #piece(item: WireEvent | string): void {
    const event = typeof item === 'string' ? this.#settings.relay.repeated(item) : item
    const part = event.parts.find(({ of, choice }) => of === 'text' && !this.#left.has(choice))
    if (part === undefined) return
    const length = this.#credit[part.choice] ?? 0
    this.#credit[part.choice] = 0
    const from = this.#offset
    this.#offset += length
    const piece = part.value.slice(from, from + length)
    const parts = [this.#edited[part.choice]?.take(piece) ?? piece]
    this.#write(event, { parts, offset: from, isPartial: true, ...(this.#edited.length > 0 && { isEdited: true }) })
  }

  #write(event: WireEvent, changes: WireChanges): void {
    const { write, changes: always, wantsUsage, isOpen, sound } = this.#settings
    const shown = sound(event)
    this.#isUnsound = shown !== event
    if (shown === undefined || (event.isUsage && !wantsUsage) || (event.place === 'open' && isOpen)) return
    if (event.choices !== undefined && this.#left.size > 0 && event.choices.every((choice) => this.#left.has(choice))) return
    const isMixed = this.#left.size > 0 && event.parts.some(({ choice }) => this.#left.has(choice))
    const parts = changes.parts ?? event.parts.map(({ value }) => value)
    event.parts.forEach(({ choice, of, value }, at) => {
      if (of !== 'text' || value === '' || this.#left.has(choice)) return
      this.#lastText[choice] = event
      this.#shownLength[choice] = this.shownLength(choice) + (parts[at]?.length ?? 0)
    })
    this.#shown()
    const kept = isMixed ? { parts: parts.map((value, at) => (this.#left.has(event.parts[at]?.choice ?? -1) ? '' : value)) } : {}
    write(shown, { ...always, ...changes, ...kept })
  }

  #shown(): void {
    this.#hasShown = true
    this.#settings.relay.isShown = true
  }

  #eventAt(at: number): WireEvent {
    const { relay } = this.#settings
    const item = relay.events[at] as WireEvent | string
    return typeof item === 'string' ? relay.repeated(item) : item
  }
}

/** How much is written of an answer that was held before others have their turn. */
const eventsPerTurn = 256
const largeFrames = 65_536

const none: readonly number[] = []
const noTexts: readonly string[] = []

function partKey({ choice, of, isName }: { choice: number; of: 'text' | number; isName?: true | undefined }): string {
  return `${choice} ${of}${isName ? ' name' : ''}`
}

/** What happens to the remaining parts of a choice, in order. */
export interface FinalParts {
  /** The value of the next part; undefined when it is unchanged. */
  take(part: WireEvent['parts'][number]): string | undefined
  /** Top-level fields of the event that ends the choice. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Set when repairs may have removed a part as a whole. */
  readonly isRepaired?: boolean
  /** Writes events before the one that ends the choice. */
  before?(): void
  /** Whether an event is dropped, because others replace it. */
  skips?(event: WireEvent): boolean
}

/**
 * Where everything is shown at once, only the end waits; an event that only opens an answer goes
 * with the next one.
 */
function liveStep(item: WireEvent | string): 'wait' | 'pass' | 'show' {
  if (typeof item === 'string') return 'show'
  return item.place === 'close' ? 'wait' : item.place === 'open' ? 'pass' : 'show'
}
