import { afterMarks } from '../../../answer/markdown/intended-fence.ts'
import { readReference, references } from '../../shared/character-reference.ts'

/** Where the content of a line is, without what only decorates it. */
interface Content {
  readonly start: number
  readonly end: number
}

/** How much counts as decoration: in `wide` also what may be talk about code, such as backticks, a heading, or words before a colon. */
export type Decoration = 'plain' | 'wide'

/** Longer decorations are none, and longer lines have only marks. */
const longestHead = 240
const longestLine = 1000

/** Characters that nobody sees. */
const unseen = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff'
const invisible = new RegExp(`[${unseen}]`, 'g')
const blanks = new RegExp(`^[\\s${unseen}]+`)
/** Spaces that do not break a line, and others that look the same. */
const spaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
/** Bullets, prompts and other signs, a check box, and numbers of lines and items. */
const signs =
  /^(?:>+|[^\p{L}\p{N}\s_"'`„“”«»‚‘’({[\]})/@#<\\&=|]+(?=\s)|\|+|[[(][ x\d]{1,5}[\])][:.]?(?=\s)|\d{1,5}[.:)\]|]*(?=\s)|[a-z][.)](?=\s))/u
/** Marks of emphasis, unlike the end of a comment, and of lines that a difference adds or removes. */
const emphasis = /^(?:\*{1,3}(?!\/)|~~|\[code[^[\]]{0,20}\]|[-+](?=[A-Za-z_]))/
/** A tag, other than that of an element that holds text as it is. */
const tag = /^<(?!pre[\s>])[a-z/!][^<>]{0,200}>/i
const quoteSigns = '"\'„“”«»‚‘’'
/** A line that only begins or ends something in another markup. */
const delimiter =
  /^(?:<!--|-->|<!\[CDATA\[|\]\]>|\$\$|"{3}\w{0,20}|'{3}\w{0,20}|`{1,2}(?:[a-z]{0,20})|\[\/?[a-z]{2,20}(?:=\w{1,20})?\]|\{[a-z]{2,20}(?::[^{}]{0,40})?\}|\\(?:begin|end)\{\w{1,20}\}|#\+\w{3,20}(?: \w{1,20})?)$/i
const trailing = new RegExp(`(?:[\\s*|\\\\${unseen}]|~~|\\[\\/code\\])$`)
/** A name with signs of emphasis inside of it or behind it, also one that has not ended. */
// backtracks: from the start alone, over at most 8 parts of 64 characters
const marked = /^`{0,2}(?:\w{1,64}(?:\*{1,3}|~~|`{1,2}|<\/?(?:b|i|u|em|strong|span)>)){1,8}\w{0,64}(?=\s?\(|$)/i
const nameMarks = /[*~`]|<[^<>]*>/g
const closingTag = /<[a-z/!][^<>]{0,60}>$/i
/** Words before a colon, or the name of a program before its prompt. */
const label = /^[\p{L}\d][^:<>|`"'=(){}]{0,60}[:>]\**\s+(?=\S)/u
/** What a line says about the code before it. */
const annotation = /\s(?:[–—←→⟵]|<-|-->?|=>)\s/

/** Where the content of a line is. */
export function contentOf(line: string, decoration: Decoration = 'plain'): Content {
  if (line.length > longestLine) return { start: afterMarks(line), end: line.length }
  let [start, end] = [0, line.length]
  for (let before = -1; before !== start; ) {
    before = start
    start = headEnd(line, start, decoration)
  }
  while (end > start) {
    const before = end
    end = tailStart(line, start, end, decoration)
    if (end === before) break
  }
  if (delimiter.test(line.slice(start, end).slice(0, longestHead))) return { start: end, end }
  const inner = insideOf(line, start, end, decoration)
  return inner.start === start && inner.end === end ? inner : shifted(inner, contentOf(line.slice(inner.start, inner.end), decoration))
}

function shifted({ start }: Content, inner: Content): Content {
  return { start: start + inner.start, end: start + inner.end }
}

function headEnd(line: string, at: number, decoration: Decoration): number {
  const head = line.slice(at, at + longestHead)
  const marks = decoration === 'wide' && at < longestHead ? (/^#{1,6}\s/.exec(head)?.[0].length ?? 0) : 0
  const found = blanks.exec(head) ?? signs.exec(head) ?? emphasis.exec(head) ?? (isElement(line, head, decoration) ? tag.exec(head) : null)
  return at + Math.max(marks, found?.[0].length ?? 0)
}

/** Whether a tag may be left out: that of code holds all of a line, or begins an element. */
function isElement(line: string, head: string, decoration: Decoration): boolean {
  return !/^<code[\s>]/i.test(head) || (decoration === 'wide' && /<\/code>/i.test(line))
}

function tailStart(line: string, start: number, end: number, decoration: Decoration): number {
  const tail = line.slice(Math.max(start, end - 64), end)
  const found = /^\/\*+$/.test(tail) ? null : (trailing.exec(tail) ?? closingTag.exec(tail))
  if (found === null || (decoration === 'plain' && /^<\/(?:code|pre)/i.test(found[0]))) return end
  return end - found[0].length
}

/** What signs at both ends enclose, a label announces, or a remark follows. */
function insideOf(line: string, start: number, end: number, decoration: Decoration): Content {
  const [first, last] = [line.charAt(start), line.charAt(end - 1)]
  const isPair = end - start > 2 && ((first === '_' && last === '_') || (quoteSigns.includes(first) && quoteSigns.includes(last)))
  // A member of JSON begins and ends with quotation marks too.
  if (isPair && !/^\w+_\s|^[^"']*["']\s*[:,]/.test(line.slice(start + 1, end - 1))) return { start: start + 1, end: end - 1 }
  if (decoration === 'plain') return { start, end }
  const ticks = /^`{1,2}(?!`)/.exec(line.slice(start, start + 3))?.[0].length ?? 0
  if (ticks > 0 && end - ticks > start + ticks && line.indexOf('`'.repeat(ticks), start + ticks) === end - ticks)
    return { start: start + ticks, end: end - ticks }
  const linked = /^\[[^[\]]+(?=\]\([^()\s]{0,200}\)$)/.exec(line.slice(start, end))?.[0].length ?? 0
  if (linked > 0) return { start: start + 1, end: start + linked }
  const announced = label.exec(line.slice(start, Math.min(end, start + longestHead)))?.[0].length ?? 0
  if (announced > 0 && !/^(?:else|try|finally|default|case|if|for|while|with|elif|except|def|class)\b/.test(line.slice(start, end)))
    return { start: start + announced, end }
  const remark = annotation.exec(line.slice(start, end))?.index ?? -1
  return remark > 0 && line.charAt(start + remark - 1) !== '=' ? { start, end: start + remark } : { start, end }
}

/** Code as it reads: as a renderer shows it, without characters that nobody sees, and with plain brackets. */
export function shownCode(code: string): string {
  const visible = renderedCode(code).replace(invisible, '')
  // Beside plain ones they are part of a text.
  return /[(=]/.test(visible)
    ? visible
    : visible.replace(/[\uff08\uff09\uff1d]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}

/** Code as a renderer shows it: without escapes, references and emphasis of its first word, and with usual spaces. */
export function renderedCode(code: string): string {
  if (!/[\\&*~`<\u0080-\uffff]/.test(code)) return code
  return code
    .replace(references, (...match: string[]) => readReference(match) ?? match[0] ?? '')
    .replace(spaces, ' ')
    .replace(/(?<=[\w(),"'\]])\\(?=[()_*[\]"'=])|\\(?=[_*])/g, '')
    .replace(marked, plainName)
}

/** A name without emphasis; one sign between two words multiplies them, unless they are the parts of a command. */
function plainName(written: string): string {
  const name = written.replace(nameMarks, '')
  const isWhole = /^`{0,2}\w+(?:\*{2,3}|~~|`{1,2}|<[^<>]*>)$/.test(written)
  return isWhole || /^[a-z]+(?:\*{1,3}|~~|`{1,2}|<[^<>]*>)[A-Z]/.test(written) ? name : written
}

/** How much of a line is decoration whatever follows, so that it is not read again with every piece. */
export interface KnownDecoration {
  end: number
}

/** So many characters behind a decoration decide whether it is one. */
const decisive = 16

/** What a line that has not ended shows after its decoration; empty as long as that is all. */
export function begunCode(rest: string, known: KnownDecoration): string {
  let start = known.end
  for (let before = -1; before !== start; ) {
    before = start
    start = startOf(rest, start)
    if (start + decisive <= rest.length) known.end = start
  }
  const content = shownCode(rest.slice(start).replace(/(?<=\w)(?:[\\*~`]{1,3}|<\/?[a-z]{0,6})$/, ''))
  const isOpen = /^(?:[-+*~`]+|#{1,6}|[[(]?\s?[a-z\d]{0,5}[\])]?[.:|\])]*\s*|<[a-z/!]?[^<>\s]{0,20}(?:\s[^<>]{0,200})?)$/i.test(content)
  // Signs are decoration once a space follows.
  const isSigns = signs.exec(`${content} `)?.[0].length === content.length
  return (isOpen || isSigns) && !content.startsWith('```') ? '' : content
}

/** Where a part of a line goes on after decoration that need not end on the line. */
function startOf(rest: string, at: number): number {
  const head = rest.slice(at, at + longestHead)
  const found = blanks.exec(head) ?? signs.exec(head) ?? emphasis.exec(head) ?? tag.exec(head) ?? /^#{1,6}\s/.exec(head)
  if (found !== null) return at + found[0].length
  if (/^`{1,2}(?!`)/.test(head)) return at + (head.startsWith('``') ? 2 : 1)
  return /^["'„“”«»‚‘’]|^\[(?=[A-Za-z_])/.test(head) ? at + 1 : at
}

/** A line without decoration, as far as it has any besides its indentation. */
export function undecorated(line: string, decoration: Decoration): Content {
  const content = contentOf(line, decoration)
  const isIndented = /^[ \t]*$/.test(line.slice(0, content.start)) && afterMarks(line) === content.start
  return isIndented ? { start: 0, end: content.end } : content
}
