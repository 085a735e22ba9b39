/** Reads an ATX heading at `at`, the first visible character. */
export function readAtxHeading(line: string, at: number): { readonly level: number; readonly text: string } | undefined {
  let end = at
  while (line.charCodeAt(end) === 35) end++
  const level = end - at
  const next = line.charCodeAt(end)
  if (level === 0 || level > 6 || !(Number.isNaN(next) || next === 32 || next === 9)) return undefined
  return { level, text: withoutClosingHashes(line.slice(end)) }
}

/** The level of a setext underline at `at`, when the line is one. */
export function readSetextUnderline(line: string, at: number): 1 | 2 | undefined {
  const code = line.charCodeAt(at)
  if (code !== 61 && code !== 45) return undefined
  let end = at
  while (line.charCodeAt(end) === code) end++
  return line.slice(end).trim() === '' ? (code === 61 ? 1 : 2) : undefined
}

function withoutClosingHashes(content: string): string {
  const text = content.trim()
  let end = text.length
  while (text.charCodeAt(end - 1) === 35) end--
  if (end === text.length) return text
  const before = text.charCodeAt(end - 1)
  return end === 0 || before === 32 || before === 9 ? text.slice(0, end).trim() : text
}
