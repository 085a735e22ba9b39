/** What a bracket begins: `object` with a key, `list` of texts or of lists and objects, or nothing that is meant as the answer, such as `[1]` or `{name}`. */
export interface ValueStart {
  readonly kind: 'object' | 'list' | 'none'
  /** Where to go on looking when it is none. */
  readonly next: number
}

const quotes = `"'“`
/** Longer keys are none, so that many of them stay cheap. */
const longestKey = 512

/** Decides what the bracket at an offset begins, by its first characters; `loose` also accepts keys without quotes, other quotes, and `=` after a key. */
export function valueStart(text: string, at: number, loose: boolean): ValueStart {
  const isObject = text[at] === '{'
  let inner = at + 1
  // In a row of brackets, the last one decides for all of them.
  while (isBlank(text, inner) || (!isObject && text[inner] === '[')) inner++
  const first = text[inner] ?? ''
  if (isObject) {
    const isQuoted = quotes.includes(first) && first !== ''
    const end = isQuoted ? endOfKey(text, inner) : loose ? endOfName(text, inner) : inner
    const mark = text[skipBlank(text, end)]
    const isKey = end > inner && (mark === ':' || (loose && isQuoted && mark === '='))
    return { kind: isKey ? 'object' : 'none', next: at + 1 }
  }
  const isText = first === '"' || (loose && first !== '' && quotes.includes(first))
  const isList = isText || (first === '{' && valueStart(text, inner, loose).kind === 'object')
  return { kind: isList ? 'list' : 'none', next: Math.max(inner, at + 1) }
}

/** After the next quote that is not escaped, however it is written; where it began when there is none near by. */
function endOfKey(text: string, start: number): number {
  const closer = text[start] === '“' ? '”' : (text[start] as string)
  const most = Math.min(text.length, start + longestKey)
  for (let at = start + 1; at < most; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === closer) return at + 1
    else if (text[at] === '\n') return start
  }
  return start
}

function endOfName(text: string, start: number): number {
  let at = start
  while (at - start < longestKey && /[\w$-]/.test(text[at] ?? '')) at++
  return at
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (isBlank(text, at)) at++
  return at
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13)
}
