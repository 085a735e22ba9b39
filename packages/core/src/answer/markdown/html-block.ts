/** How a block of HTML ends: at a line that matches, or at a blank line. */
export type HtmlEnd = RegExp | 'blank'

const blockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'

const blockName = new RegExp(`^(?:${blockNames})$`, 'i')

/** Whether an element of that name starts a block, wherever it is. */
export function isHtmlBlockName(name: string): boolean {
  return blockName.test(name)
}

const commentEnd = /-->/
const withEnd: readonly (readonly [RegExp, HtmlEnd])[] = [
  [/^<(?:script|pre|textarea|style)(?:\s|>|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${blockNames})(?:\\s|/?>|$)`, 'i'), 'blank'],
]

const attribute = '\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^\\s"\'=<>`]+|\'[^\']*\'|"[^"]*"))?'
const wholeTag = new RegExp(`^(?:<[A-Za-z][A-Za-z0-9-]*(?:${attribute})*\\s*/?>|</[A-Za-z][A-Za-z0-9-]*\\s*>)\\s*$`)

/** Whether a line, from its first visible character, starts a block of HTML, and how that block ends. */
export function startsHtmlBlock(rest: string, inParagraph: boolean): HtmlEnd | undefined {
  if (rest.startsWith('<!--')) return commentEnd
  for (const [start, end] of withEnd) if (start.test(rest)) return end
  return !inParagraph && wholeTag.test(rest) ? 'blank' : undefined
}
