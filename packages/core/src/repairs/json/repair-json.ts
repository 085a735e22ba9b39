import { isSpace } from './characters.ts'
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

function regionOf(text: string, from: number): { readonly start: number; readonly end: number } {
  let start = from
  let end = text.length
  while (isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return { start, end }
}
