import { afterMarks } from '../../../answer/markdown/intended-fence.ts'

/** Longer starts of a line are held without a look at them. */
const longestStart = 200

/** The first visible characters of lines that may open a fence, also after marks of lists and quotes. */
const heads = new Set([
  '',
  '\u200B',
  '\u200C',
  '\u200D',
  '\u200E',
  '\u200F',
  '\u2060',
  '\uFEFF',
  '`',
  '~',
  '>',
  '-',
  '+',
  '*',
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
])

/** Whether a line that is being read may open a fence: by its first visible character, its length so far and its text. */
export function mayOpenFence(head: string, length: number, text: () => string): boolean {
  if (!heads.has(head)) return false
  return length > longestStart || fenceMayFollow(text())
}

/** Whether there is nothing but white space and marks of lists and quotes, and perhaps a fence. */
function fenceMayFollow(line: string): boolean {
  const rest = line.slice(afterMarks(line))
  return /^(?:(?:[-+*]|\d{1,9}[.)]?|`{1,2}|~{1,2})?$|```|~~~)/.test(rest)
}
