/** Most characters of text in one frame. */
export const pieceLength = 4096

/** Cuts a text into pieces for frames; a pair of surrogates stays together. An empty text has no piece. */
export function pieces(text: string): readonly string[] {
  if (text === '') return []
  if (text.length <= pieceLength) return [text]
  const cut: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + pieceLength, text.length)
    if (end < text.length && isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end))) end--
    cut.push(text.slice(start, end))
    start = end
  }
  return cut
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
