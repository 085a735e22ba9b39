import type { TextSpan } from '../../answer/span.ts'

/** Between a value that is the text of a link and the same value as its address. */
const middle = /^\]\(<?(?:mailto:|tel:|sms:)?$/
/** Behind the address. */
const ending = /^(?:\?[^\s()<>]{0,120})?>?\)/
/** The longest address, with what is around it. */
const longestTarget = 480

/** Whether more text may make a value the text of a link that holds another value. */
export function isLinkOpen(text: string, { start, end }: TextSpan): boolean {
  if (text[start - 1] !== '[' || text.length - end > longestTarget) return false
  // backtracks: at most 480 characters
  return /^\](?:\([^\s()]*)?$/.test(text.slice(end))
}

/** The places with a link of a value as one: `[a@b.com](mailto:a@b.com)`. */
export function joinLinks<Place extends { readonly span: TextSpan }>(places: readonly Place[], text: string): Place[] {
  const joined: Place[] = []
  for (const place of places) {
    const last = joined.at(-1)
    const { start, end } = place.span
    const tail = last && text[last.span.start - 1] === '[' && start - last.span.end < 12 && middle.test(text.slice(last.span.end, start))
    const behind = tail ? ending.exec(text.slice(end, end + 128))?.[0] : undefined
    if (last === undefined || behind === undefined) joined.push(place)
    else joined[joined.length - 1] = { ...last, span: { start: last.span.start - 1, end: end + behind.length } }
  }
  return joined
}
