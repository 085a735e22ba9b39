import { endOfString } from './end-of-string.ts'

/** Whether an object anywhere in JSON text has a key twice: readers differ in which of the two they take. The text must be JSON. */
export function hasDuplicateKeys(json: string): boolean {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(json, at + 1)
      const keys = open.at(-1)
      if (keys !== undefined && isKey(json, end + 1)) {
        const written = json.slice(at, end + 1)
        const key = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
        if (keys.has(key)) return true
        keys.add(key)
      }
      at = end
    }
  }
  return false
}

function isKey(json: string, from: number): boolean {
  let at = from
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++
  return json[at] === ':'
}
