import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { merged, type WrongLink } from './judge.ts'

/** The changes that put `#` in place of wrong addresses, so that links stay whole. */
export function* removals(text: string, wrong: readonly WrongLink[]): Generator<Certificate> {
  for (const { span } of merged(wrong)) {
    const { start, end } = whole(text, span)
    yield { rule: 'remove-target', class: 'lossy', span: { start, end }, before: text.slice(start, end), after: sign(text, start, end) }
  }
}

/** With the angle brackets of an address that is a link by itself, with the parentheses that it has opened, and without the one that closes the link. */
function whole(text: string, { start, end }: TextSpan): TextSpan {
  const isTarget = /\]\(\s{0,99}<?$/.test(text.slice(Math.max(0, start - 110), start))
  const isBracketed =
    !isTarget && text[start - 1] === '<' && text[end] === '>' && /^[a-z][a-z0-9+.-]+:[^\s<>]*$/i.test(text.slice(start, end))
  if (isBracketed) return { start: start - 1, end: end + 1 }
  const isClosing = isTarget && text[end - 1] === ')' && !/^(?:\)|\s+["'()])/.test(text.slice(end, end + 100))
  if (isClosing) return { start, end: end - 1 }
  let to = end
  for (let open = depth(text.slice(start, end)); open > 0 && text[to] === ')'; open--) to++
  return { start, end: to }
}

/** How many parentheses are opened and not closed. */
function depth(address: string): number {
  let open = 0
  for (const sign of address) open = sign === '(' ? open + 1 : sign === ')' ? Math.max(0, open - 1) : open
  return open
}

/** `#` begins a heading at the start of a line, unless it is escaped. */
function sign(text: string, start: number, end: number): string {
  const line =
    text
      .slice(Math.max(0, start - 110), start)
      .split(/[\r\n]/)
      .at(-1) ?? ''
  return /^[\s>*+\-\d.)#]*$/.test(line) && /^(?:[\s#]|$)/.test(text.slice(end, end + 1)) ? '\\#' : '#'
}
