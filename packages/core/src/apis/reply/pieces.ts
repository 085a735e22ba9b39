import { isHighSurrogate, isLowSurrogate } from '../../answer/characters.ts'

/** Maximum characters of text in one frame. */
export const pieceLength = 4096

/** Splits a text into pieces for frames; surrogate pairs stay together. An empty text has no piece. */
export function pieces(text: string): readonly string[] {
  if (text === '') return []
  if (text.length <= pieceLength) return [text]
  const cut: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + pieceLength, text.length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end))) end--
    cut.push(text.slice(start, end))
    start = end
  }
  return cut
}
