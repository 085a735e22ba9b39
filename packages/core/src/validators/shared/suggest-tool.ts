import { closeMatches } from '../../contract/close-match.ts'

/** How a suggestion was found: configured, the same but for case and punctuation, or merely similar. */
export type SuggestionKind = 'alias' | 'same' | 'similar'

/** The name that was probably meant. */
export interface Suggestion {
  readonly name: string
  readonly kind: SuggestionKind
}

/** What decides on suggestions. */
export interface SuggestionRules {
  /** Names that mean others; an empty record leaves only similarity, without even ignoring case and punctuation. */
  readonly aliases?: Readonly<Record<string, string>> | undefined
  /** Least similarity, between 0 and 1. */
  readonly cutoff?: number
}

/** The tool that a name probably means: by alias, then but for case and punctuation, then by similarity. */
export function suggestTool(
  name: string,
  tools: Iterable<string>,
  { aliases, cutoff = 0.6 }: SuggestionRules = {},
): Suggestion | undefined {
  if (typeof name !== 'string') throw new TypeError('the name of a tool must be a string')
  if (typeof tools?.[Symbol.iterator] !== 'function') throw new TypeError('tools must be a list of names')
  const names = [...new Set(tools)]
  const exact = renamedTool(name, names, aliases)
  if (exact) return exact
  const [similar] = closeMatches(name, names, 1, cutoff)
  return similar === undefined ? undefined : { name: similar, kind: 'similar' }
}

/** The tool that a name certainly means: by alias, or but for case and punctuation. */
export function renamedTool(name: string, names: readonly string[], aliases?: SuggestionRules['aliases']): Suggestion | undefined {
  const known = Object.entries(aliases ?? {})
  if (aliases !== undefined && known.length === 0) return undefined
  const wanted = foldName(name)
  const alias =
    known.find(([from, to]) => from === name && names.includes(to)) ??
    known.find(([from, to]) => wanted !== '' && foldName(from) === wanted && names.includes(to))
  if (alias) return { name: alias[1], kind: 'alias' }
  // Two tools that differ only in that are distinguished by similarity, as a guess.
  const same = wanted === '' ? [] : names.filter((tool) => foldName(tool) === wanted)
  return same.length === 1 && same[0] !== undefined ? { name: same[0], kind: 'same' } : undefined
}

/** A name without case, punctuation, white space and invisible characters; `v1_1` stays apart from `v11`. */
export function foldName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{P}\p{Z}]+/gu, (run, at: number, whole: string) => (isDigit(whole[at - 1]) && isDigit(whole[at + run.length]) ? '|' : ''))
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}
