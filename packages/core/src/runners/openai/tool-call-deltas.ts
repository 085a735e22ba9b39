import { readToolCalls, type ToolCall } from '../../answer/tool-calls.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'

interface Slot {
  /** Where the call stands among the others, as the provider counts or in order of appearance. */
  readonly place: number
  id: string
  name: string
  readonly pieces: string[]
}

/** Puts tool calls together from the pieces that a stream brings. */
export class ToolCallDeltas {
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  readonly #byId = new Map<string, Slot>()

  /** Takes the `tool_calls` of one delta; anything else is left out. */
  push(deltas: unknown): void {
    if (!Array.isArray(deltas)) return
    for (const delta of deltas) {
      if (isFields(delta)) this.#add(delta)
    }
  }

  /** The calls as they would stand in an answer that was not streamed. */
  calls(): ToolCall[] {
    const named = this.#slots.filter(({ name }) => name !== '').sort((a, b) => a.place - b.place)
    return readToolCalls(
      named.map(({ id, name, pieces }) => ({ ...(id === '' ? {} : { id }), function: { name, arguments: pieces.join('') } })),
    )
  }

  #add(delta: Fields): void {
    const { name, arguments: given } = isFields(delta.function) ? delta.function : {}
    const id = typeof delta.id === 'string' ? delta.id : ''
    const newName = typeof name === 'string' ? name : ''
    const slot = typeof delta.index === 'number' ? this.#atIndex(delta.index, id, newName) : this.#withoutIndex(id, newName)
    if (slot.id === '') slot.id = id
    // Of two calls with one id the first counts.
    if (id !== '' && slot.id === id && !this.#byId.has(id)) this.#byId.set(id, slot)
    // Some providers repeat the whole name in every piece.
    if (slot.name !== newName) slot.name += newName
    if (typeof given === 'string') slot.pieces.push(given)
    else if (isFields(given)) slot.pieces.push(JSON.stringify(given))
  }

  #atIndex(index: number, id: string, name: string): Slot {
    const known = this.#byIndex.get(index)
    // Ollama and others number all parallel calls 0: another id with a name is another call.
    const isOther = known !== undefined && id !== '' && known.id !== '' && known.id !== id && name !== ''
    if (known !== undefined && !isOther) return known
    const slot = this.#open(isOther ? this.#slots.length : index)
    this.#byIndex.set(index, slot)
    return slot
  }

  #withoutIndex(id: string, name: string): Slot {
    const last = this.#slots.at(-1)
    if (id !== '') return this.#byId.get(id) ?? this.#open(this.#slots.length)
    return last === undefined || (name !== '' && last.name !== '') ? this.#open(this.#slots.length) : last
  }

  #open(place: number): Slot {
    const slot: Slot = { place, id: '', name: '', pieces: [] }
    this.#slots.push(slot)
    return slot
  }
}
