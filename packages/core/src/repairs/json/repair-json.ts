import { type JsonEnd, scanJson } from '../../json/json-fault.ts'
import { isSpace } from '../../json/scan.ts'
import type { JsonRepair } from './result.ts'
import { JsonScanner } from './scanner.ts'

export type { JsonCut, JsonEdit, JsonRepair } from './result.ts'

/** Reads one JSON value that starts at `start`, repairing what is not JSON. */
export function repairJson(text: string, options: { readonly start?: number; readonly partial?: boolean } = {}): JsonRepair {
  const { start = 0 } = options
  const rest = start === 0 ? text : text.slice(start)
  // Right JSON is the usual case, and nothing reads it faster.
  try {
    return { ok: true, value: JSON.parse(rest), edits: [], ...regionOf(text, start), cut: 'none' }
  } catch {
    const scanner = new JsonScanner(options)
    scanner.push(rest)
    return scanner.finish()
  }
}

/** Why a text is not JSON. */
interface JsonFault {
  /** Offset of the first character that JSON does not allow; the length of the text when it ends too early. */
  readonly at: number
  /** `inside`: the text ends inside a value; `closers`: only closing brackets are missing at the end; `none`: it does not end early. */
  readonly cut: Exclude<JsonEnd, 'wrong'>
}

/** Finds out where and why a text that JSON.parse refuses is wrong; how one ends that is not JSON anyhow, as the repair reads it. */
export function findJsonFault(text: string): JsonFault {
  const { at, end } = scanJson(text)
  return { at, cut: end === 'wrong' ? (repairJson(text).cut ?? 'none') : end }
}

function regionOf(text: string, from: number): { readonly start: number; readonly end: number } {
  let start = from
  let end = text.length
  while (isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return { start, end }
}
