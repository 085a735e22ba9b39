/** What a pattern asks of one place of a text. */
export type Assertion = 'start' | 'end' | 'word-boundary' | 'no-word-boundary'

/** What is before or after a place of a text: its edge, a character of a word, or another one. */
export type Side = 'edge' | 'word' | 'other'

/** Whether an assertion holds between two sides. */
export function holds(assertion: Assertion, before: Side, after: Side): boolean {
  if (assertion === 'start') return before === 'edge'
  if (assertion === 'end') return after === 'edge'
  const isBoundary = (before === 'word') !== (after === 'word')
  return isBoundary === (assertion === 'word-boundary')
}

/** Whether `\\w` takes a character. */
export function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
}
