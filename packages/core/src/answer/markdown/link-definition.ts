import { isPunctuation } from '../characters.ts'
import { endOfMatch } from '../span.ts'

/** A title is searched this far, so that unclosed titles cost linear time. */
export const longestTitle = 1000

/** Deeper parentheses end the address for some renderers. */
const deepest = 31

/** Spaces with at most one line break. */
const gap = /[ \t]*(?:\n[ \t]*)?/y
// backtracks: one character decides how each part goes on
const pointed = /<(?:[^<>\n\\]|\\[^\n]){0,1000}>/y
// backtracks: one character decides how each part goes on
const title = /"(?:[^"\\]|\\[\s\S]){0,1000}"|'(?:[^'\\]|\\[\s\S]){0,1000}'|\((?:[^()\\]|\\[\s\S]){0,1000}\)/y
const blankRest = /[ \t]*(?:\n|$)/y
// backtracks: one character decides how each part goes on
const label = /\[(?:[^\\[\]]|\\[\s\S]){1,999}\]:/y

/** Cuts the link reference definitions off the start of a paragraph; what is left is its content. */
export function afterLinkDefinitions(paragraph: string): string {
  let at = 0
  for (let end = endOfDefinition(paragraph, at); end > at; end = endOfDefinition(paragraph, at)) at = end
  return at === 0 ? paragraph : paragraph.slice(at)
}

/** How much of a paragraph is definitions; undefined when it is too long to decide in linear time. */
export function definitionsLength(paragraph: string): number | undefined {
  const length = paragraph.length - afterLinkDefinitions(paragraph).length
  const isUnclear = paragraph.charCodeAt(length) === 91 && paragraph.length - length > longestTitle
  return isUnclear && endOfMatch(label, paragraph, length) !== undefined ? undefined : length
}

/** The offset after the definition that starts there; the same when none does. */
function endOfDefinition(text: string, at: number): number {
  if (text.charCodeAt(at) !== 91) return at
  const named = endOfMatch(label, text, at)
  if (named === undefined || text.slice(at + 1, named - 2).trim() === '') return at
  const target = skipGap(text, named)
  const targetEnd = endOfTarget(text, target).end
  if (targetEnd === undefined || targetEnd === target) return at
  const behind = skipGap(text, targetEnd)
  const titleEnd = behind > targetEnd ? endOfTitle(text, behind) : undefined
  const withTitle = titleEnd === undefined ? undefined : endOfMatch(blankRest, text, titleEnd)
  return withTitle ?? endOfMatch(blankRest, text, targetEnd) ?? at
}

/** Skips spaces with at most one line break. */
export function skipGap(text: string, at: number): number {
  return endOfMatch(gap, text, at) ?? at
}

/** Where the address of a link ends that starts there, which may be empty; undefined for anything else. `read` is how far it was read to know. */
export function endOfTarget(text: string, from: number): { readonly end: number | undefined; readonly read: number } {
  if (text[from] === '<') {
    const end = endOfMatch(pointed, text, from)
    return { end, read: end ?? from }
  }
  let open = 0
  let at = from
  for (; at < text.length && open <= deepest; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || (code >= 9 && code <= 13)) break
    if (code === 92 && isPunctuation(text.charCodeAt(at + 1))) at++
    else if (code === 40) open++
    else if (code === 41 && --open < 0) break
  }
  return { end: open > 0 ? undefined : at, read: at }
}

/** Where the title of a link ends that starts there. */
export function endOfTitle(text: string, at: number): number | undefined {
  return endOfMatch(title, text, at)
}
