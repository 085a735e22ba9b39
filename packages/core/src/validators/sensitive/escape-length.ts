/** The letter at an offset that belongs to an escaped line break or tab, such as the `n` of `\\n` in a JSON string: 1, or 0 where there is none. */
export function escapeLength(text: string, at: number): number {
  return text[at - 1] === '\\' && /[nrt]/.test(text[at] ?? '') ? 1 : 0
}
