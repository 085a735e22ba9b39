/** What a bracket begins: an object with a key, a list of objects or of texts, or nothing that shows that it is JSON, such as `[1]` or `{name}`. */
export interface ValueStart {
  readonly kind: 'object' | 'objects' | 'texts' | 'none'
  /** Whether it begins with a key without quotes. */
  readonly hasBareKey: boolean
  /** Where to go on looking for anything else. */
  readonly next: number
}

const quotes = `"'“`
/** Anything longer is not taken for a key, so that reading many of them stays cheap. */
const longestKey = 512

/** Decides what the bracket at an offset begins, by its first characters, with quotes of any kind; keys without quotes are accepted too, and marked. */
export function valueStart(text: string, at: number): ValueStart {
  const isObject = text[at] === '{'
  let inner = at + 1
  // In a row of brackets, the last one decides for all of them.
  while (isBlank(text, inner) || (!isObject && text[inner] === '[')) inner++
  const first = text[inner] ?? ''
  const isQuoted = first !== '' && quotes.includes(first)
  if (isObject) {
    const end = isQuoted ? endOfKey(text, inner) : endOfName(text, inner)
    const mark = text[skipBlank(text, end)]
    const isKey = end > inner && (mark === ':' || (isQuoted && mark === '='))
    return { kind: isKey ? 'object' : 'none', hasBareKey: isKey && !isQuoted, next: at + 1 }
  }
  const next = Math.max(inner, at + 1)
  if (isQuoted) return { kind: 'texts', hasBareKey: false, next }
  const item = first === '{' ? valueStart(text, inner) : undefined
  // An empty object in a list is neither a placeholder nor a reference.
  const isEmpty = item !== undefined && text[skipBlank(text, inner + 1)] === '}'
  return { kind: item?.kind === 'object' || isEmpty ? 'objects' : 'none', hasBareKey: item?.hasBareKey ?? false, next }
}

/** Whether the bracket at an offset begins a list whose first characters show at once that it is none of these, such as `[1]`. */
export function startsPlainList(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 91 || isBlank(text, at + 1)) return false
  const first = text.charCodeAt(at + 1)
  return first !== 34 && first !== 39 && first !== 0x201c && first !== 91 && first !== 123
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
