import type { TextSpan } from '../../answer/span.ts'

/** The attributes of HTML that hold addresses. */
export const addressAttributes: ReadonlySet<string> = new Set(
  'href src srcset imagesrcset action formaction poster data background cite ping attributionsrc manifest longdesc codebase archive content style'.split(
    ' ',
  ),
)

/** Those that hold several. */
const lists: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'ping', 'archive', 'attributionsrc'])

/** Where the addresses are in the value of an attribute, whose references are read. */
export function addressesIn(name: string, value: string): TextSpan[] {
  // How wide or dense an image of a set is leads nowhere.
  if (lists.has(name)) return found(value, /()((?<![^\s,])(?!\d+(?:\.\d+)?[wxh](?:[\s,]|$))[^\s,]+)/g)
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
