import { endOfText, isClosing, isOpening, JsonWalker, quote } from './json-walker.ts'

/** More open names, and deeper texts, are left to slower ways. */
const mostNames = 64
const deepest = 32
const starts = new Int32Array(mostNames)
const ends = new Int32Array(mostNames)
/** How many names were open when an object or a list began, by its depth. */
const bases = new Int32Array(deepest)

/**
 * How many characters of an ordinary JSON text are outside of strings, each string counted as one: no fewer than there are values. Ordinary is a
 * text that is not deep, where no object has a name twice, and none is `__proto__` or written with escapes. Undefined for any other text; what is
 * not JSON may be ordinary too.
 */
export function ordinarySize(text: string): number | undefined {
  let depth = 0
  let open = 0
  let inside = 0
  const walker = new JsonWalker(text)
  for (let code = walker.mark(); code !== endOfText; code = walker.mark()) {
    if (code === quote) {
      const { start } = walker
      const end = walker.end - 1
      inside += end - start
      if (!walker.isName()) continue
      if (open === mostNames || !isNewName(text, start, end, bases[depth] as number, open)) return undefined
      starts[open] = start
      ends[open++] = end
    } else if (isOpening(code)) {
      if (++depth === deepest) return undefined
      bases[depth] = open
    } else if (isClosing(code)) {
      if (depth === 0) return undefined
      open = bases[depth--] as number
    }
  }
  return text.length - inside
}

/** Whether a name is that of no other member of its object, has no escape, and is not that of prototypes. */
function isNewName(text: string, start: number, end: number, from: number, to: number): boolean {
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) === 92) return false
  for (let other = from; other < to; other++) if (isSame(text, starts[other] as number, ends[other] as number, start, end)) return false
  return text.charCodeAt(start + 1) !== 95 || text.slice(start + 1, end) !== '__proto__'
}

function isSame(text: string, before: number, beforeEnd: number, start: number, end: number): boolean {
  if (beforeEnd - before !== end - start) return false
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) !== text.charCodeAt(before + at - start)) return false
  return true
}
