import type { RunnerFailure } from '../../engine/runner-failure.ts'
import { hasDuplicateKeys } from '../../json/duplicate-keys.ts'
import { excessOf, type JsonExtent } from '../../json/json-extent.ts'
import { ordinarySize } from '../../json/ordinary-size.ts'
import { parseJson } from '../../json/parse-json.ts'
import { protocolFailure } from './provider-error.ts'

/** A shorter text is never too wide or too deep to parse. */
const shortest = 4096

/** Several times as much as real answers: parsing takes some hundredths of a second. */
export const widestReply: JsonExtent = { depth: 512, fields: 10_000, items: 10_000, values: 65_536, everything: 1_048_576 }

const excesses: Readonly<Record<keyof JsonExtent, string>> = {
  depth: `is nested more than ${widestReply.depth} levels deep`,
  fields: `has an object with more than ${widestReply.fields} fields`,
  items: `has a list with more than ${widestReply.items} items`,
  values: `has more than ${widestReply.values} fields and items`,
  everything: `has more than ${widestReply.everything} values`,
}

/** Parses a provider's JSON; undefined if it is not JSON. Throws a RunnerFailure for more values than any real answer, before any is created. */
export function parseReply(text: string): unknown {
  const excess = replyExcess(text)
  if (excess !== undefined) throw tooWide(excess)
  return parseJson(text)
}

/** JSON that a provider sent. */
interface GivenJson {
  /** Undefined if the text is not JSON. */
  readonly value: unknown
  /** Without duplicate keys under a contract: some clients take the first value of one, which was not checked. */
  readonly text: string
}

/** Parses a provider's JSON that clients get, like `parseReply`: under a contract, clients must read the same values. */
export function readReply(given: string, isGuarded?: boolean): GivenJson {
  const size = ordinarySize(given)
  const value = size !== undefined && size < widestReply.items ? parseJson(given) : parseReply(given)
  if (!isGuarded || size !== undefined) return { value, text: given }
  // Clients that merge chunks would take its members for their own, and they were not checked.
  if (mayHoldPrototype(given) && holdsPrototype(value)) throw protocolFailure('the response has a member named __proto__')
  return { value, text: value !== undefined && hasDuplicateKeys(given) ? JSON.stringify(value) : given }
}

/** Whether a text has the name, or an escaped letter, which providers have no reason to send. */
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

/** How a provider's text is too wide or too deep to parse; undefined if it is not. */
export function replyExcess(text: string): keyof JsonExtent | undefined {
  return text.length > shortest ? excessOf(text, widestReply) : undefined
}

/** The failure of an answer with too many values. */
export function tooWide(excess: keyof JsonExtent): RunnerFailure {
  return protocolFailure(`the response ${excesses[excess]}`)
}

/** Throws if values collected over the events of a stream are more than a list may have. */
export function needRoom(count: number): void {
  if (count > widestReply.items) throw tooWide('items')
}
