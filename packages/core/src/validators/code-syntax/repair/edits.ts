/** A change of source code: so many characters from an offset on are replaced. */
export interface Edit {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** A source with changes, which are in text order and do not overlap. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const { at, length, text } of edits) {
    result += source.slice(from, at) + text
    from = at + length
  }
  return result + source.slice(from)
}
