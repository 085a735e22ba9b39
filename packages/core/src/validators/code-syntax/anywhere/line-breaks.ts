/** Where a part of a line ends, and the next one begins. */
export interface LineBreak {
  readonly index: number
  readonly end: number
  /** Whether cells are divided there. */
  readonly isCell: boolean
}

/** A tag that ends a line. */
const breakTag = /<\/?(?:br|p|li|t[dhr]|div)(?:[\s/][^<>]{0,180})?>/iy
/** How such a tag begins, or one of an element that holds code. */
const tagStart = /^<(?:\/?[a-z]{0,4}$|(?:pre|code)\s|\/?(?:br|p|li|t[dhr]|div)[\s/])/i

/** The tag that breaks a line at an offset, or in a row of a table the sign between cells. */
export function breakAt(text: string, index: number, isRow: boolean | undefined): LineBreak | undefined {
  const character = text.charAt(index)
  if (isRow && character === '|' && text.charAt(index - 1) !== '\\') return { index, end: index + 1, isCell: true }
  if (character !== '<') return undefined
  breakTag.lastIndex = index
  const tag = breakTag.exec(text)?.[0]
  return tag === undefined ? undefined : { index, end: index + tag.length, isCell: /^<\/?t/i.test(tag) }
}

/** Finds the next break. */
export function nextBreak(text: string, from: number, isRow: boolean | undefined): LineBreak | undefined {
  for (let index = from; index < text.length; index++) {
    const found = breakAt(text, index, isRow)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether code ends inside of a string or an element, where nothing breaks it. */
export function isInside(code: string): boolean {
  return /["'`]/.test(code.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '')) || isOpen(code, 'code') || isOpen(code, 'pre')
}

function isOpen(code: string, name: string): boolean {
  const lower = code.toLowerCase()
  const opened = Math.max(lower.lastIndexOf(`<${name}>`), lower.lastIndexOf(`<${name} `))
  return opened > lower.lastIndexOf(`</${name}>`)
}

/** Whether what begins at an offset may become a tag that is looked for. */
export function mayBecomeTag(text: string, at: number): boolean {
  return tagStart.test(text.slice(at, at + 6))
}
