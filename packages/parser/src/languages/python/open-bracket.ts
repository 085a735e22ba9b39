const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The last bracket that is still open at the end of Python code; strings and comments are skipped. */
export function openBracket(source: string): { readonly at: number; readonly closing: string } | undefined {
  const open: { readonly at: number; readonly closing: string }[] = []
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === '#') at = lineEnd(source, at)
    else if (char === '"' || char === "'") at = stringEnd(source, at)
    else {
      const closing = char in closings ? closings[char] : undefined
      if (closing !== undefined) open.push({ at, closing })
      else if (open.at(-1)?.closing === char) open.pop()
    }
  }
  return open.at(-1)
}

/** The last character of the string that starts at a quote. */
function stringEnd(source: string, start: number): number {
  const quote = source.charAt(start)
  const isLong = source.startsWith(quote.repeat(3), start)
  const closing = isLong ? quote.repeat(3) : quote
  for (let at = start + closing.length; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === '\\') at++
    else if (!isLong && (char === '\n' || char === '\r')) return at
    else if (source.startsWith(closing, at)) return at + closing.length - 1
  }
  return source.length
}

function lineEnd(source: string, start: number): number {
  let at = start
  while (at < source.length && source.charAt(at) !== '\n' && source.charAt(at) !== '\r') at++
  return at
}
