import type { TextSpan } from '../../answer/span.ts'

/** The attributes of HTML that hold addresses. */
export const attributes =
  'href|src|srcset|imagesrcset|action|formaction|poster|data|background|cite|ping|attributionsrc|manifest|longdesc|codebase|archive|content|style|srcdoc'

/** Those with which an animation may change an address. */
export const animated = 'to|from|by|values'

/** Where a drawing or a style sheet begins, in which addresses are found that other text does not have. */
export const drawing = /<(?:[a-z][a-z0-9.-]{0,30}:)?(?:svg|style)/gi

/** An animation of an address, or of an attribute whose name is written with references. */
export const animatedAddress = /\battributeName\s*=\s*["']?[^\s"'>]{0,40}(?:href|&)/i

/** Where the addresses are in a style sheet, whose escapes are read. */
export function addressesInStyles(value: string): TextSpan[] {
  const images = /image-set\(/i.test(value) ? quoted(value) : []
  return [...found(value, /(url\(\s*["']?)([^"')]+)/gi), ...found(value, /((?:@import|\bsrc\()\s*["'])([^"']+)/gi), ...images]
}

function quoted(value: string): TextSpan[] {
  return found(value, /(["'])([^"']+)/g)
}

/** Where the addresses are in the value of an attribute, whose references and, in a style, escapes are read. */
export function addressesIn(attribute: string, value: string): TextSpan[] {
  const name = attribute.toLowerCase()
  if (name.endsWith('srcset')) return candidates(value)
  if (name === 'ping' || name === 'archive' || name === 'attributionsrc') return found(value, /()([^\s,]+)/g)
  // A page that is opened after some seconds.
  if (name === 'content')
    return [
      ...found(value, /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?)([^"']+)/gi),
      ...found(value, /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?)([^"'].*)/gis),
    ]
  if (name === 'style') return [...addressesInStyles(value), ...quoted(value)]
  if (name === 'values') return found(value, /()([^;]+)/g)
  const start = value.length - value.trimStart().length
  return [{ start, end: Math.max(start, value.trimEnd().length) }]
}

function found(value: string, pattern: RegExp): TextSpan[] {
  return Array.from(value.matchAll(pattern), ({ 0: all, 1: before = '', index }) => ({
    start: index + before.length,
    end: index + all.length,
  }))
}

/** The addresses of a `srcset`, found as browsers do: descriptors follow an address that does not end with a comma, and end at one outside of parentheses. */
function candidates(value: string): TextSpan[] {
  const spans: TextSpan[] = []
  for (let at = 0; at < value.length; ) {
    while (at < value.length && /[\s,]/.test(value[at] as string)) at++
    const start = at
    while (at < value.length && !/\s/.test(value[at] as string)) at++
    let end = at
    while (end > start && value[end - 1] === ',') end--
    if (end > start) spans.push({ start, end })
    if (end === at) at = endOfDescriptors(value, at)
  }
  return spans
}

function endOfDescriptors(value: string, from: number): number {
  let depth = 0
  for (let at = from; at < value.length; at++) {
    if (value[at] === '(') depth = 1
    else if (value[at] === ')') depth = 0
    else if (value[at] === ',' && depth === 0) return at + 1
  }
  return value.length
}
