import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Reading } from '../../contract/machine/machine.ts'

/** So many characters around an address decide what is taken out with it. */
const around = 110

/** The change that puts `#` in place of a wrong address, so that the link stays whole. */
export function removal(reading: Pick<Reading, 'slice'>, { start, end }: TextSpan): Omit<Certificate, 'before'> {
  const before = reading.slice({ start: Math.max(0, start - around), end: start })
  const address = reading.slice({ start, end })
  const behind = reading.slice({ start: end, end: end + around })
  const isTarget = /\]\(\s{0,99}<?$/.test(before)
  // The angle brackets of an address that is a link by itself.
  const brackets = !isTarget && before.endsWith('<') && behind.startsWith('>') && /^[a-z][a-z0-9+.-]+:[^\s<>]*$/i.test(address) ? 1 : 0
  const closesLink = isTarget && address.endsWith(')') && !/^(?:\)|\s+["'()])/.test(behind)
  const further = brackets || (closesLink ? -1 : Math.min(openParentheses(address), /^\)*/.exec(behind)?.[0].length ?? 0))
  const span = { start: start - brackets, end: end + further }
  const after = beginsHeading(before.slice(0, before.length - brackets), (address + behind).slice(address.length + further)) ? '\\#' : '#'
  return { rule: 'remove-target', class: 'lossy', span, after }
}

/** How many parentheses an address opens and does not close. */
function openParentheses(address: string): number {
  let open = 0
  for (const sign of address) open = sign === '(' ? open + 1 : sign === ')' ? Math.max(0, open - 1) : open
  return open
}

/** Whether `#` between two texts would begin a heading. */
function beginsHeading(before: string, behind: string): boolean {
  const line = before.split(/[\r\n]/).at(-1) ?? ''
  return /^[\s>*+\-\d.)#]*$/.test(line) && /^(?:[\s#]|$)/.test(behind.slice(0, 1))
}
