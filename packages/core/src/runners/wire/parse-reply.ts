import type { RunnerFailure } from '../../engine/runner-failure.ts'
import { excessOf, type JsonExtent } from '../../schema/values/json-extent.ts'
import { protocolFailure } from '../failures/provider-failures.ts'
import { parseJson } from '../json.ts'

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
