/** A line of a document, without its line break. */
export interface DocumentLine {
  readonly text: string
  /** Where it starts in the document, in UTF-16 units. */
  readonly start: number
  readonly isBlank: boolean
}

/** The lines of a document; LF, CRLF and CR end one, as in `positionAt`. */
export function documentLines(text: string): readonly DocumentLine[] {
  const lines: DocumentLine[] = []
  let start = 0
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|[\r\n]/g)) {
    lines.push(line(text.slice(start, index), start))
    start = index + lineBreak.length
  }
  if (start < text.length) lines.push(line(text.slice(start), start))
  return lines
}

function line(text: string, start: number): DocumentLine {
  return { text, start, isBlank: text.trim() === '' }
}
