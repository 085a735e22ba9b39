import type { SyntaxFault } from '@stickler/core/validators'
import type { SaxesParser } from 'saxes'
import { faultAt } from '../fault-at.ts'
import { quoted } from '../quoted.ts'

/** What to do about what the parser says; `$` is the code there. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^unclosed tag: (.*)/, 'Close `<$1>` with `</$1>`: it is still open at the end.'],
  [/^unmatched closing tag/, 'Remove $, or open it before: no element of this name is open here.'],
  [/^unexpected close tag/, 'Close the inner elements before $: the last one that was opened is closed first.'],
  [/^duplicate attribute: (.*)\.$/, 'Keep one attribute `$1` of this element.'],
  [/^undefined entity/, 'Write the entity $ as a character, or `&` as `&amp;`.'],
  [/^disallowed character in entity name|^empty entity name|^malformed character entity/, 'Write `&` as `&amp;`.'],
  [/^(?:unquoted attribute value|value must be quoted)/, 'Put the value of the attribute in quotes.'],
  [/^attribute without value/, 'Give the attribute a value in quotes: XML has none without.'],
  [/^no whitespace between attributes/, 'Write a space between the attributes.'],
  [/^disallowed character in (?:tag|attribute) name/, 'Correct the tag at $, or write `<` as `&lt;` where none is meant.'],
  [/^forward-slash in opening tag/, 'Write `/>` at the end of the tag.'],
  [/^disallowed character\.?$/, 'Write `<` as `&lt;` in values, and remove control characters.'],
  [/^an XML declaration must be at the start|must appear at the start/, 'Move the XML declaration to the start of the document.'],
  [/^malformed comment/, 'Write no `--` inside a comment.'],
  [/^unexpected end/, 'Complete the XML: it ends inside a tag, a comment or a declaration.'],
  [/^the string "]]>"/, 'Write `]]>` as `]]&gt;`.'],
]

/** Finds the first thing that keeps a text from being a well-formed document, or a part of one; what follows it often only follows from it. */
export function xmlFaults(source: string, Parser: typeof SaxesParser): readonly SyntaxFault[] {
  const inDocument = firstFault(source, new Parser({ fragment: false }))
  const inPart = inDocument && firstFault(source, new Parser({ fragment: true }))
  if (inDocument === undefined || inPart === undefined) return []
  return [/^\s*<[?!](?:xml|doctype)/i.test(source) ? inDocument : inPart]
}

function firstFault(source: string, parser: SaxesParser): SyntaxFault | undefined {
  let first: { readonly reason: string; readonly at: number } | undefined
  let hasForeignEntities = false
  parser.on('doctype', (doctype) => {
    hasForeignEntities = /\s(?:SYSTEM|PUBLIC)\s/.test(doctype)
    for (const [, name] of doctype.matchAll(/<!ENTITY\s+([^\s%]+)/g)) if (name !== undefined) parser.ENTITIES[name] = ''
  })
  parser.on('error', ({ message }) => {
    const reason = message.replace(/^(?:[^:]*:)?\d+:\d+: /, '')
    if (hasForeignEntities && reason === 'undefined entity.') return
    const at = Math.min(parser.position, source.length)
    // Inside a tag that is cut off, everything is open.
    if (first === undefined || (reason === 'unexpected end.' && first.at === at)) first = { reason, at }
  })
  parser.write(source).close()
  return first && faultFor(first.reason, first.at, source)
}

function faultFor(reason: string, end: number, source: string): SyntaxFault {
  const entity = source.lastIndexOf('&')
  // An entity goes on up to its semicolon.
  if (reason === 'unexpected end.' && entity > 0 && !source.includes(';', entity))
    return faultAt(source, entity, entity + 1, 'Write `&` as `&amp;`.')
  // The tag or entity that ends here, or begins a few characters before.
  const before = source.slice(Math.max(0, end - 200), end)
  const start = end - before.length + Math.max(before.lastIndexOf('<'), /entity/.test(reason) ? before.lastIndexOf('&') : 0, 0)
  const [pattern, wording] = wordings.find(([one]) => one.test(reason)) ?? [/^/, `Correct the XML at $: ${reason}`]
  const [, name = ''] = pattern.exec(reason) ?? []
  const code = quoted(/^[^\r\n]*/.exec(source.slice(start, end))?.[0] ?? '')
  const message = wording.replaceAll('$1', () => name).replace('$', () => code)
  return faultAt(source, start, end, message)
}
