/** One character for all its cases; `ß` and `ss` stay two, as in every case-insensitive regular expression. */
export function foldCase(character: string): string {
  const upper = character.toUpperCase()
  const one = isOne(upper) ? upper : character
  const lower = one.toLowerCase()
  return isOne(lower) ? lower : one
}

/** A text with every character folded, so that texts that differ in case alone are equal. */
export function foldText(text: string): string {
  return Array.from(text, foldCase).join('')
}

function isOne(text: string): boolean {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
}
