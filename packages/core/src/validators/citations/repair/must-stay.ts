import type { Cut } from './cut-markers.ts'

const list = /^(?:\[\^?|【)[0-9]+(?: *[,;–-] *\^?[0-9]+)+[\]】†]/

/** Whether a marker lists several sources of which at least one exists: that one would be lost with it. */
export function listsSource(marker: string, sources: number): boolean {
  const numbers = list.exec(marker)?.[0].match(/[0-9]+/g) ?? []
  return numbers.some((digits) => !digits.startsWith('0') && Number(digits) <= sources)
}

/** Characters that are something else side by side: parts of a word or number, of a link, a tag, an entity, or of emphasis. */
const joined = /^(?:[\p{L}\p{N}\p{M}_]{2}|\p{N}[.,:]\p{N}|\][(:]|!\[|<[A-Za-z/!?]|&[A-Za-z#]|([*_~])\1)/u
// backtracks: sticky, so it reads at most 999 characters
const definition = /\[[^\]\r\n]{1,999}\]:/y

/** Whether a cut would bring characters together that must not meet. */
export function joinsText(text: string, cuts: readonly Cut[], bodyStart: number): boolean {
  let start = 0
  return cuts.some((cut, index) => {
    if (cuts[index - 1]?.end !== cut.start) start = cut.start
    if (cuts[index + 1]?.start === cut.end) return false
    definition.lastIndex = cut.end
    return (cut.atHead && definition.test(text)) || joined.test(lastCharacter(text, start, bodyStart) + text.slice(cut.end, cut.end + 4))
  })
}

/** What comes before an offset, as one character that may take two units. */
function lastCharacter(text: string, offset: number, from: number): string {
  return [...text.slice(Math.max(from, offset - 2), offset)].at(-1) ?? '\n'
}
