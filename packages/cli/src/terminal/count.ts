/** A count with its noun, `1 error` or `3 errors`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
