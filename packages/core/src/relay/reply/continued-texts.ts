import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'
import { isHosted } from './reasoned-texts.ts'

type Path = JsonEdit['path']
type Fields = Readonly<Record<string, unknown>>

/** Events that repeat a text as a whole. */
const isWhole = /\.(?:done|completed|incomplete|failed|cancelled)$/

/**
 * Finds which texts a piece of a stream may continue. Clients join pieces by the place of their item, by its id, by an index of their own, or
 * just as they come, so that a piece has several names: whatever two pieces have in common, they share one.
 */
export class ContinuedTexts {
  /** The places of items, by their ids: events may name either. */
  readonly #places = new Map<unknown, unknown>()
  /** The indexes of blocks that are calls of tools which the provider runs. */
  readonly #hosted = new Set<unknown>()

  /** The names of the texts that what is at a path of an event continues; none where it is whole. `isFirst` when nothing of its choice is before it. */
  namesOf(event: unknown, path: Path, isFirst: boolean): readonly string[] {
    if (!isFields(event)) return []
    if (path[0] === 'choices') return chatNames(event, path, isFirst)
    return typeof event.type === 'string' && isWhole.test(event.type) ? [] : this.#itemNames(event, path)
  }

  /** Takes an event before its pieces; returns whether it adds to a call of a tool that the provider runs. */
  take(event: unknown): boolean {
    if (!isFields(event)) return false
    this.#place(event)
    if (event.type === 'content_block_start') {
      if (isFields(event.content_block) && isHosted(event.content_block.type)) this.#hosted.add(event.index)
      else this.#hosted.delete(event.index)
    }
    return event.type === 'content_block_delta' && this.#hosted.has(event.index)
  }

  #place(event: Fields): void {
    if (event.output_index === undefined) return
    const id = event.item_id ?? (isFields(event.item) ? event.item.id : undefined)
    if (id !== undefined) this.#places.set(id, event.output_index)
  }

  #itemNames(event: Fields, path: Path): readonly string[] {
    const { index, output_index, summary_index, content_index, item } = event
    const inPath = path.filter((step) => typeof step === 'number')
    const holder = path[0] === 'message' || path[0] === 'response' ? inPath.shift() : undefined
    const id = event.item_id ?? (isFields(item) ? item.id : idIn(event.response, holder))
    const place = output_index ?? index ?? holder ?? this.#places.get(id)
    const isSummary = summary_index !== undefined || path.includes('summary') || String(event.type).includes('summary')
    const part = [summary_index ?? content_index ?? inPath[0] ?? 0, isSummary]
    return ['', JSON.stringify(['place', place, ...part]), ...(id === undefined ? [] : [JSON.stringify(['id', id, ...part])])]
  }
}

function idIn(response: unknown, at: unknown): unknown {
  const item: unknown = isFields(response) && Array.isArray(response.output) ? response.output[Number(at)] : undefined
  return isFields(item) ? item.id : undefined
}

function chatNames({ choices }: Fields, [, at, , ...inMessage]: Path, isFirst: boolean): readonly string[] {
  const own: unknown = Array.isArray(choices) ? choices[Number(at)] : undefined
  const choice = (isFields(own) ? own.index : undefined) ?? at
  const members = inMessage.filter((step) => typeof step === 'string')
  const names: unknown[][] = [[choice, members], ...(isFirst ? [[choice]] : [])]
  if (members.length < inMessage.length) {
    names.push([choice, inMessage])
    const { index, id } = entryAt(isFields(own) ? (own.delta ?? own.message) : undefined, inMessage)
    if (index !== undefined) names.push([choice, members, 'index', index])
    if (id !== undefined) names.push([choice, members, 'id', id])
  }
  return names.map((name) => JSON.stringify(name))
}

/** The first entry of a list on a path. */
function entryAt(value: unknown, path: Path): Fields {
  let one = value
  for (const step of path) {
    one = (one as Readonly<Record<string | number, unknown>> | undefined)?.[step]
    if (typeof step === 'number') break
  }
  return isFields(one) ? one : {}
}
