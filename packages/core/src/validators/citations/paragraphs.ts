import type { Outline } from '../../answer/outline.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'

/** Whether an inline block is a paragraph of prose, which can be asked for a citation. */
export function isProse(text: string, { start }: TextSpan, outline: Pick<Outline, 'headings' | 'listItems'>): boolean {
  if (spanHolds(outline.headings, start) || spanHolds(outline.listItems, start)) return false
  if (!/[\p{L}\p{N}]/u.test(text)) return false
  return !(leadsIn(text) || isTable(text) || isDefinition(text) || isImage(text))
}

/** A line such as "These are the reasons:" says nothing itself. */
function leadsIn(text: string): boolean {
  let end = text.trimEnd().length
  while (text[end - 1] === '*' || text[end - 1] === '_') end--
  return text[end - 1] === ':' || text[end - 1] === '：'
}

/** The second line of a table is made of dashes, colons and bars. */
function isTable(text: string): boolean {
  const [head = '', rule = ''] = text.split(/\r\n|\r|\n/, 2)
  return head.includes('|') && rule.includes('-') && rule.includes('|') && /^[\s|:>-]+$/.test(rule)
}

/** A list of addresses, or of what footnotes say. */
function isDefinition(text: string): boolean {
  return /^\[[^\]\r\n]{1,999}\]:/.test(text)
}

function isImage(text: string): boolean {
  return /^!\[[^\]\r\n]*\]\([^)\r\n]*\)$/.test(text.trim())
}
