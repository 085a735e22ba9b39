/** How a member of an object is written, the last one of that name as in `JSON.parse`; nothing when there is none. The text must be JSON. */
export function memberSource(json: string, name: string): string | undefined {
  let found: string | undefined
  eachEntry(json, '{', (keyStart, keyEnd, start, end) => {
    // A name may be written with escapes.
    if (JSON.parse(json.slice(keyStart, keyEnd)) === name) found = json.slice(start, end)
  })
  return found
}

/** How the elements of a list are written; none when it is no list. The text must be JSON. */
export function elementSources(json: string): readonly string[] {
  const found: string[] = []
  eachEntry(json, '[', (_keyStart, _keyEnd, start, end) => found.push(json.slice(start, end)))
  return found
}

type Visit = (keyStart: number, keyEnd: number, start: number, end: number) => void

function eachEntry(json: string, opening: '{' | '[', visit: Visit): void {
  let at = skipSpace(json, 0)
  if (json[at] !== opening) return
  at = skipSpace(json, at + 1)
  while (at < json.length && json[at] !== '}' && json[at] !== ']') {
    const keyStart = at
    let keyEnd = at
    if (opening === '{') {
      keyEnd = skipValue(json, at)
      // Behind the colon.
      at = skipSpace(json, skipSpace(json, keyEnd) + 1)
    }
    const end = skipValue(json, at)
    visit(keyStart, keyEnd, at, end)
    at = skipSpace(json, end)
    if (json[at] === ',') at = skipSpace(json, at + 1)
  }
}

function skipSpace(json: string, from: number): number {
  let at = from
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++
  return at
}

/** The end of a value, found by its brackets and quotes alone, so that nesting costs nothing. */
function skipValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = endOfString(json, at + 1)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      if (depth === 0) return at
      depth--
      if (depth === 0) return at + 1
      continue
    }
    if (depth > 0) continue
    if (character === '"') return at + 1
    if (character === ',' || character === ':' || character === ' ' || character === '\n' || character === '\r' || character === '\t')
      return at
  }
  return json.length
}

/** Where the closing quote stands. */
function endOfString(json: string, from: number): number {
  let at = from
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
