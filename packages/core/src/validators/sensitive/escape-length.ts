/** The letter at an offset that belongs to an escaped line break, tab or other control, such as the `n` of `\\n` in a JSON string: 1, or 0 where there is none. */
export function escapeLength(text: string, at: number): number {
  return text[at - 1] === '\\' && /[bfnrt]/.test(text[at] ?? '') ? 1 : 0
}
