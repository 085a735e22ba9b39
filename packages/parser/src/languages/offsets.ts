import { positionAt } from '@stickler/core/internal'

/** The UTF-16 offset of the character with this number, counted in code points from `start`. */
export function afterCodePoints(text: string, count: number, start = 0): number {
  let at = start
  for (let left = count; left > 0 && at < text.length; left--) at += isPair(text, at) ? 2 : 1
  return at
}

/** The UTF-16 offset of the byte with this number, counted in UTF-8 from `start`. */
function afterBytes(text: string, count: number, start = 0): number {
  let at = start
  for (let left = count; left > 0 && at < text.length; ) {
    const code = text.charCodeAt(at)
    const pair = isPair(text, at)
    left -= pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3
    at += pair ? 2 : 1
  }
  return at
}

/** The UTF-16 offset of a line, counted from 1 by line feeds, and a byte in it, counted from 1. */
export function afterLineAndBytes(text: string, line: number, byte: number): number {
  return afterBytes(text, byte - 1, afterLines(text, line))
}

/** The UTF-16 offset of a line, counted from 1 by line feeds; the end of the text when it has fewer. */
export function afterLines(text: string, line: number): number {
  let start = 0
  for (let left = line - 1; left > 0; left--) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  return start
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}

/** The line that an offset is in, without its line break; cut where it is longer than any message needs. */
export function lineAt(source: string, offset: number): string {
  const start = offset - positionAt(source, offset).column + 1
  return /^[^\r\n]*/.exec(source.slice(start, start + 400))?.[0] ?? ''
}
