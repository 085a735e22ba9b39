import { goTokenEnd } from './lexer.ts'

/** After these a value must follow, so that a function without a body is a type in its place. */
const beforeValue = new Set(['return', ':='])

/** Longer signatures are not judged, so that many of them cost little. */
const longestSignature = 1000

/** The first `return func(…)` or `:= func(…)` whose line ends without a body: gofmt accepts it, the compiler does not. */
export function bodylessFunction(source: string): { readonly start: number; readonly end: number } | undefined {
  let previous = ''
  for (let at = 0; at < source.length; ) {
    const end = tokenEnd(source, at)
    const token = source.slice(at, end)
    if (token === 'func' && beforeValue.has(previous)) {
      const stop = signatureEnd(source, end)
      if (stop !== undefined) return { start: at, end: stop }
    }
    if (!isBlank(token) && !isComment(token)) previous = token
    at = end
  }
  return undefined
}

/** Where the signature after `func` ends when its statement ends without a brace; undefined when there is one, or where it cannot be told. */
function signatureEnd(source: string, from: number): number | undefined {
  const text = source.slice(from, from + longestSignature)
  let depth = 0
  let last = 0
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at)
    const token = text.slice(at, end)
    // An interface or a struct as a result has braces of its own.
    if (token === '{') return undefined
    if (token === '(' || token === '[') depth++
    else if (token === ')' || token === ']') depth--
    if (depth < 0) return undefined
    if (depth === 0 && (token === '\n' || token === ';' || token === '}')) return from + last
    // A comma or an operator that ends the line continues the statement.
    if (depth === 0 && /^[,.=+&|<>]$/.test(token)) return undefined
    if (!isBlank(token) && !isComment(token)) last = end
    at = end
  }
  return from + text.length === source.length ? from + last : undefined
}

function tokenEnd(source: string, at: number): number {
  return source.startsWith(':=', at) ? at + 2 : Math.max(goTokenEnd(source, at), at + 1)
}

function isBlank(token: string): boolean {
  return token.trim() === ''
}

function isComment(token: string): boolean {
  return token.startsWith('//') || token.startsWith('/*')
}
