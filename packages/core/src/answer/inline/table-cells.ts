/** Whether a line other than the first is made of dashes, colons and bars: some renderers make a table of that. */
export function hasDelimiterRow(text: string): boolean {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (isDelimiterRow(text, at + 1)) return true
  return false
}

/** Whether a range is in one cell: within its line and without a bar that is not escaped. */
export function isOneCell(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 124 && text.charCodeAt(at - 1) !== 92)) return false
  }
  return true
}

function isDelimiterRow(text: string, from: number): boolean {
  let dashes = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) break
    if (code === 45) dashes++
    else if (code !== 32 && code !== 9 && code !== 58 && code !== 124) return false
  }
  return dashes > 0
}
