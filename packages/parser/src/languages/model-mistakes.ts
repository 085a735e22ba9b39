import { lineAt } from './offsets.ts'

/** What a model did that explains a fault better than the parser can. */
export interface Mistake {
  readonly message: string
  readonly suggestion?: string
  /** Whether the code ends before it is complete, which an open bracket explains. */
  readonly endsEarly?: true
}

const straight: ReadonlyMap<string, string> = new Map([
  ...['“', '”', '„', '«', '»', '″'].map((quote) => [quote, '"'] as const),
  ...['‘', '’', '‚', '′'].map((quote) => [quote, "'"] as const),
])

/** Finds what models do in any language, at the place of a fault: curly quotes, placeholders, fences, diff and conflict markers, prose. */
export function mistakeAt(source: string, offset: number, comment: string): Mistake | undefined {
  const rest = source.slice(offset, offset + 4)
  const quote = straight.get(rest.charAt(0))
  if (quote !== undefined) return { message: `Use the straight quote \`${quote}\` instead of this curly one.`, suggestion: quote }
  const line = lineAt(source, offset)
  if (isPlaceholder(rest, line) || isCutList(source, offset))
    return { message: `Replace the placeholder with the real code, or put it in a comment (\`${comment}\`).` }
  if (/^\s*(?:```|~~~)/.test(line)) return { message: 'Remove this fence: it is not part of the code.' }
  if (/^(?:<<<<<<<|=======|>>>>>>>)(?:\s|$)/.test(line)) return { message: 'Resolve the merge conflict and remove its markers.' }
  if (/^(?:@@ |\+\+\+ |--- [\w/.]|diff --git )/.test(line) || isDiff(source, line))
    return { message: 'Write the code itself, not a diff: remove the markers at the start of the lines.' }
  if (isProse(line)) return { message: `Remove this sentence from the code, or make it a comment (\`${comment}\`).` }
  return undefined
}

/** An ellipsis that no name, list or call follows. */
function isPlaceholder(rest: string, line: string): boolean {
  return rest.startsWith('…') || (rest.startsWith('...') && !/^\.{3}[\w$([{"'`]/.test(rest)) || /^\s*(?:\.{3}|…)(?:\s|$)/.test(line)
}

/** A bracket that closes right after an ellipsis, as in `[1, 2, ...]`. */
function isCutList(source: string, offset: number): boolean {
  return /^[)\]}]/.test(source.slice(offset, offset + 1)) && /\.{3}\s?$/.test(source.slice(Math.max(0, offset - 4), offset))
}

/** Several lines carry the marks of a diff, this one among them. */
function isDiff(source: string, line: string): boolean {
  if (!/^[+-](?![+-])/.test(line)) return false
  const marked = source.slice(0, 20_000).match(/^[+-](?![+-]).*\S/gm) ?? []
  return marked.length > 1 && marked.some((one) => one.startsWith('-')) && marked.some((one) => one.startsWith('+'))
}

/** At least four words, a capital first or a stop at the end, and nothing that code has. */
function isProse(line: string): boolean {
  const text = line.trim()
  if (text.length > 300 || !/^[\p{L}\p{N}\s.,:;!?'’"“”()`*-]+$/u.test(text) || /[;({]$|\w\(/.test(text)) return false
  // backtracks: the text has at most 300 characters
  const words = text.split(/\s+/).filter((word) => /^[("'“`*]*[\p{L}][\p{L}'’-]*[.,:;!?)"'”`*]*$/u.test(word))
  return words.length >= 4 && words.length >= text.split(/\s+/).length * 0.7 && (/^\p{Lu}/u.test(text) || /[.:!?]$/.test(text))
}
