// A title is searched this far, so that unclosed titles cost linear time.
const longestTitle = 1000

/** Cuts the link reference definitions off the start of a paragraph; what is left is its content. */
export function afterLinkDefinitions(paragraph: string): string {
  let rest = paragraph
  while (rest.charCodeAt(0) === 91) {
    const length = definitionLength(rest)
    if (length === 0) break
    rest = rest.slice(length)
  }
  return rest
}

/** How much of a paragraph is definitions; undefined when it is too long to decide in linear time. */
export function definitionsLength(paragraph: string): number | undefined {
  const length = paragraph.length - afterLinkDefinitions(paragraph).length
  const isUnclear = paragraph.charCodeAt(length) === 91 && paragraph.length - length > longestTitle
  return isUnclear && /^\[(?:[^\\[\]]|\\[\s\S]){1,999}\]:/.test(paragraph.slice(length, length + 2 * longestTitle)) ? undefined : length
}

function definitionLength(text: string): number {
  const label = /^\[(?:[^\\[\]]|\\[\s\S]){1,999}\]:/.exec(text)?.[0]
  if (label === undefined || label.slice(1, -2).trim() === '') return 0
  const target = skipSpace(text, label.length)
  const targetEnd = endOfTarget(text, target)
  if (targetEnd === target) return 0
  const lineEnd = endOfBlankRest(text, targetEnd)
  const title = skipSpace(text, targetEnd)
  const titleEnd = title > targetEnd ? endOfTitle(text, title) : undefined
  const withTitle = titleEnd === undefined ? undefined : endOfBlankRest(text, titleEnd)
  return withTitle ?? lineEnd ?? 0
}

/** Skips white space with at most one line break. */
function skipSpace(text: string, from: number): number {
  return from + (/^[ \t]*(?:\n[ \t]*)?/.exec(text.slice(from, from + longestTitle))?.[0].length ?? 0)
}

function endOfTarget(text: string, from: number): number {
  if (text[from] === '<') {
    const pointed = /^<(?:[^<>\n\\]|\\[^\n])*>/.exec(text.slice(from, from + longestTitle))?.[0]
    return from + (pointed?.length ?? 0)
  }
  let open = 0
  let at = from
  for (; at < text.length && !/[ \t-\r]/.test(text[at] as string); at++) {
    if (text[at] === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')) at++
    else if (text[at] === '(') open++
    else if (text[at] === ')' && open-- === 0) break
  }
  return open > 0 ? from : at
}

function endOfTitle(text: string, from: number): number | undefined {
  const closer = { '"': '"', "'": "'", '(': ')' }[text[from] ?? '']
  if (closer === undefined) return undefined
  const limit = Math.min(text.length, from + longestTitle)
  for (let at = from + 1; at < limit; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === closer) return at + 1
  }
  return undefined
}

/** The offset after the line break when only white space is left on the line. */
function endOfBlankRest(text: string, from: number): number | undefined {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  if (at === text.length) return at
  return text[at] === '\n' ? at + 1 : undefined
}
