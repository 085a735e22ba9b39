import { certainMarkup } from './certain-language.ts'

/** Languages whose code has no tags of HTML in it. */
const withoutTags: ReadonlySet<string> = new Set(['bash', 'css', 'json', 'sql', 'toml', 'yaml'])

/** Elements that styles are written for, and that parts of pages begin with. */
const elements =
  'a|article|aside|body|button|div|footer|form|h[1-6]|head|header|html|img|input|label|li|main|nav|ol|p|section|span|table|tbody|td|th|thead|tr|ul'

const isElement = new RegExp(`^(?:${elements})$`)

/** What a rule of CSS is for. */
const selector = new RegExp(
  `^(?:@(?:media|supports|keyframes|font-face|layer|container|page)\\b|(?:[.#:*[]|(?:${elements})(?![\\w-])|(?:from|to|\\d+%)$))[^;{}]*$`,
)
const property =
  /^(?:--[\w-]+|-(?:webkit|moz|ms|o)-[a-z-]+|(?:align|animation|background|border|box|column|flex|font|grid|justify|letter|line|list|margin|max|min|object|outline|overflow|padding|text|transition)(?:-[a-z]+)*|bottom|color|content|cursor|display|fill|filter|float|gap|height|left|opacity|position|right|top|transform|vertical-align|visibility|white-space|width|z-index)\s*:\s*[^\s:]/
const statement = /^@(?:import|charset|namespace|layer)\b/

/** The language, other than one of programs, that a text in which `tag` found faults is certainly written in. */
export function certainNotation(source: string, tag: string): 'html' | 'xml' | 'css' | 'yaml' | undefined {
  const declared = certainMarkup(source)
  if (declared !== undefined) return declared
  const text = source.trim()
  const element = /^<([a-z]\w*)[\s>]/i.exec(text)?.[1]?.toLowerCase()
  // A part of a page: one element around everything, or several.
  if (element !== undefined)
    return withoutTags.has(tag) && isElement.test(element) && text.toLowerCase().endsWith(`</${element}>`) ? 'html' : undefined
  return isStyleSheet(text) ? 'css' : isYaml(text) ? 'yaml' : undefined
}

/** Whether a text has rules of CSS and nothing else, all for known elements, classes and properties. */
function isStyleSheet(text: string): boolean {
  if (!text.endsWith('}')) return false
  const bare = text.replace(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|"[^"\n\r]*"?|'[^'\n\r]*'?/g, (piece) => (piece.startsWith('/') ? '' : 's'))
  const pieces = bare.split(/([;{}])/)
  let declarations = 0
  for (let at = 0; at < pieces.length; at += 2) {
    const said = (pieces[at] ?? '').trim()
    const end = pieces[at + 1]
    if (end === '{' && !selector.test(said)) return false
    if (said === '' || end === '{' || statement.test(said)) continue
    if (!property.test(said)) return false
    declarations++
  }
  return declarations > 0
}

/** A key, the first of an item too, and what begins a text of several lines. */
const entry = /^(?:- )*(?:[\w./-]+|"[^"]*"):(?: (.*))?$/
const item = /^- [^-\s]/

/** Whether a text has keys, items and what is below them, as YAML writes them, and nothing else. */
function isYaml(text: string): boolean {
  let keys = 0
  let nested = 0
  /** How deep the last key is, and whether what is below it may be any text. */
  let above: { readonly indent: number; readonly isEmpty: boolean; readonly isText: boolean } | undefined
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const said = line.trim()
    const indent = line.length - line.trimStart().length
    if (said === '' || said === '---' || said.startsWith('#') || (above?.isText && indent > above.indent)) continue
    const key = entry.exec(said)
    // What other languages end their lines with.
    if (/[,;{(\\]$/.test(said) || !(key || item.test(said))) return false
    if (above?.isEmpty && (indent > above.indent || said.startsWith('- '))) nested++
    // Keys in quotes may be those of broken JSON.
    if (key && !said.includes('":')) keys++
    const value = key?.[1]?.replace(/(?:^| )#.*/, '').trim() ?? ''
    above = { indent, isEmpty: key !== null && value === '', isText: /^[|>][-+\d]*$/.test(value) }
  }
  return keys > 1 && nested > 0
}
