import type { RunnerFailure } from '../../engine/runner-failure.ts'
import { type JsonOutline, outlineOf } from '../../json/json-outline.ts'
import { parseJson } from '../../json/parse-json.ts'
import { hasDuplicateKeys } from '../../schema/values/duplicate-keys.ts'
import { excessOf, type JsonExtent } from '../../schema/values/json-extent.ts'
import { protocolFailure } from './provider-error.ts'

/** What is shorter cannot be wide or deep enough to hold anybody up. */
const shortest = 4096

/** Several times what real answers hold: reading so much takes some hundredths of a second. */
export const widestReply: JsonExtent = { depth: 512, fields: 10_000, items: 10_000, values: 65_536, everything: 1_048_576 }

const excesses: Readonly<Record<keyof JsonExtent, string>> = {
  depth: `is nested more than ${widestReply.depth} levels deep`,
  fields: `has an object with more than ${widestReply.fields} fields`,
  items: `has a list with more than ${widestReply.items} items`,
  values: `has more than ${widestReply.values} fields and items`,
  everything: `has more than ${widestReply.everything} values`,
}

/** Reads what a provider sent; nothing when it is not JSON. Throws a RunnerFailure for what is larger in number than any answer, before anything is built of it. */
export function parseReply(text: string): unknown {
  const excess = replyExcess(text)
  if (excess !== undefined) throw tooWide(excess)
  return parseJson(text)
}

/** JSON that a provider sent. */
export interface GivenJson {
  /** Nothing when the text is not JSON. */
  readonly value: unknown
  /** How the value is written: of a key that an object has twice some clients take the first value, which nobody has judged. */
  readonly text: string
  readonly outline: JsonOutline | undefined
}

/** Reads what a provider sent and clients get, like `parseReply`: under a contract, they must read it as it was read here. */
export function readReply(given: string, isGuarded?: boolean): GivenJson {
  const outline = outlineOf(given)
  const value = outline !== undefined && outline.outside < widestReply.items ? parseJson(given) : parseReply(given)
  if (!isGuarded || outline !== undefined) return { value, text: given, outline }
  // Clients that merge chunks would take its members for their own, and nobody has judged them.
  if (mayHoldPrototype(given) && holdsPrototype(value)) throw protocolFailure('the response has a member named __proto__')
  return { value, text: value !== undefined && hasDuplicateKeys(given) ? JSON.stringify(value) : given, outline }
}

/** Whether the name is in a text, or a letter is written as an escape, which providers have no reason for. */
function mayHoldPrototype(text: string): boolean {
  return text.includes('__proto__') || /\\u00[567]/.test(text)
}

function holdsPrototype(value: unknown): boolean {
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Object.hasOwn(one, '__proto__')) return true
    for (const inner of Object.values(one)) open.push(inner)
  }
  return false
}

/** In which way a text of a provider is too wide or too deep to be read; undefined when it is not. */
export function replyExcess(text: string): keyof JsonExtent | undefined {
  return text.length > shortest ? excessOf(text, widestReply) : undefined
}

/** The failure of an answer that is larger in number than what is read. */
export function tooWide(excess: keyof JsonExtent): RunnerFailure {
  return protocolFailure(`the response ${excesses[excess]}`)
}

/** Throws when something that is collected over the events of a stream has more items than a list may have. */
export function needRoom(count: number): void {
  if (count > widestReply.items) throw tooWide('items')
}
