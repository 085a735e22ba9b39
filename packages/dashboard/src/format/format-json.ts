const deepest = 40

/** JSON with a line for each value, all its characters as they were written; undefined for other text. */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const pieces: string[] = []
  let depth = 0
  let last = ''
  const line = (): void => void pieces.push(`\n${'  '.repeat(Math.min(depth, deepest))}`)
  // What JSON allows has only strings, signs, blanks and words.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    if (token === '}' || token === ']') {
      depth--
      // An empty object or list stays on its line.
      if (last === '{' || last === '[') pieces.pop()
      else line()
    }
    pieces.push(token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth++
    if (token === '{' || token === '[' || token === ',') line()
    last = token
  }
  return pieces.join('')
}
