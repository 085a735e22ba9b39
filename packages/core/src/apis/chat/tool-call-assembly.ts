import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { needRoom, widestReply } from '../shared/parse-reply.ts'
import { mergeDelta } from './merge-delta.ts'

/** The call of a piece. */
export interface CallPlace {
  /** In order of appearance. */
  readonly position: number
  /** The number of the call, as the provider counts or in order of appearance. */
  readonly place: number
}

const none: readonly CallPlace[] = []

interface Slot {
  /** In order of appearance. */
  readonly position: number
  /** The index of the call, as the provider counts or in order of appearance. */
  readonly place: number
  id: string
  name: string
  readonly pieces: string[]
  /** Other fields of the call, such as `extra_content`. */
  readonly extra: Record<string, unknown>
}

/** Assembles `tool_calls` from the pieces of a stream into the form of a whole answer. */
export class ToolCallAssembly {
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  readonly #taken = new Set<number>()
  #behind = 0
  readonly #byId = new Map<string, Slot>()
  #isRenamed = false

  /** Whether a call got a second name: some clients append it to the first, others replace that. */
  get isRenamed(): boolean {
    return this.#isRenamed
  }

  /** Takes the `tool_calls` of one delta, and returns the call of each; anything else is omitted. */
  push(deltas: unknown): readonly CallPlace[] {
    if (!Array.isArray(deltas)) return none
    return deltas.filter(isFields).map((delta) => {
      const slot = this.#add(delta)
      return { position: slot.position, place: slot.place }
    })
  }

  /** The positions of the calls so far, in the order of the calls. */
  positions(): readonly number[] {
    return this.#known().map(({ position }) => position)
  }

  /** The calls so far. */
  calls(): Record<string, unknown>[] {
    return this.#known().map(({ id, name, pieces, extra }) => ({
      ...(id === '' ? {} : { id }),
      type: 'function',
      ...extra,
      // Calls of other types have their own member.
      ...(isFields(extra.custom) && name === ''
        ? {}
        : { function: { ...(isFields(extra.function) ? extra.function : {}), name, arguments: pieces.join('') } }),
    }))
  }

  #known(): readonly Slot[] {
    // An id alone is not a call.
    const known = this.#slots.filter(
      ({ name, pieces, extra }) => name !== '' || isFields(extra.custom) || pieces.some((piece) => piece !== ''),
    )
    return known.sort((a, b) => a.place - b.place)
  }

  #add({ index, id: givenId, function: called, ...extra }: Fields): Slot {
    const { name: givenName, arguments: given, ...further } = isFields(called) ? called : {}
    const id = typeof givenId === 'string' ? givenId : ''
    const name = typeof givenName === 'string' ? givenName : ''
    const slot = Number.isSafeInteger(index) && Number(index) >= 0 ? this.#atIndex(Number(index), id, name) : this.#withoutIndex(id, name)
    if (slot.id === '') slot.id = id
    // Of two calls with one id the first counts.
    if (id !== '' && slot.id === id && !this.#byId.has(id)) this.#byId.set(id, slot)
    // Some providers repeat the whole name in every piece.
    if (slot.name !== name) {
      this.#isRenamed ||= slot.name !== '' && name !== ''
      slot.name += name
    }
    if (typeof given === 'string') slot.pieces.push(given)
    else if (isFields(given)) slot.pieces.push(JSON.stringify(given))
    mergeDelta(slot.extra, Object.keys(further).length === 0 ? extra : { ...extra, function: further })
    return slot
  }

  #atIndex(index: number, id: string, name: string): Slot {
    const known = this.#byIndex.get(index)
    // Ollama and others number all parallel calls 0: another id with a name is another call.
    const isOther = known !== undefined && id !== '' && known.id !== '' && known.id !== id && name !== ''
    if (known !== undefined && !isOther) return known
    const slot = this.#open(index)
    this.#byIndex.set(index, slot)
    return slot
  }

  #withoutIndex(id: string, name: string): Slot {
    const last = this.#slots.at(-1)
    if (id !== '') return this.#byId.get(id) ?? this.#open()
    return last === undefined || (name !== '' && last.name !== '') ? this.#open() : last
  }

  /** Opens a call at an index, or after all others if there is none or it is taken: clients merge calls by index. */
  #open(wanted?: number): Slot {
    const isUsable = wanted !== undefined && wanted < widestReply.items && !this.#taken.has(wanted)
    const place = isUsable ? wanted : this.#behind
    this.#taken.add(place)
    this.#behind = Math.max(this.#behind, place + 1)
    const slot: Slot = { position: this.#slots.length, place, id: '', name: '', pieces: [], extra: {} }
    needRoom(this.#slots.push(slot))
    return slot
  }
}
