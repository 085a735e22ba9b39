import type { TextSpan } from '../../answer/span.ts'

/** The attributes of HTML that hold addresses. */
export const addressAttributes: ReadonlySet<string> = new Set(
  'href src srcset imagesrcset action formaction poster data background cite ping attributionsrc manifest longdesc codebase archive content style'.split(
    ' ',
  ),
)

/** Where the addresses are in the value of an attribute, whose references are read. */
export function addressesIn(name: string, value: string): TextSpan[] {
  if (name.endsWith('srcset')) return candidates(value)
  if (name === 'ping' || name === 'archive' || name === 'attributionsrc') return found(value, /()([^\s,]+)/g)
  // A page that is opened after some seconds.
  if (name === 'content') return found(value, /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?)([^"']+)/gi)
  if (name === 'style') return found(value, /(url\(\s*["']?)([^"')]+)/gi)
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
