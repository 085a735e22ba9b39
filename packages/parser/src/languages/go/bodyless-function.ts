import { goTokenEnd } from './lexer.ts'

/** After these a value must follow, so that a function without a body is a type in its place. */
const beforeValue = new Set(['return', ':='])

/** The first `return func(…)` or `:= func(…)` whose statement ends without a body: gofmt accepts it, the compiler does not. */
export function bodylessFunction(source: string): { readonly start: number; readonly end: number } | undefined {
  // Functions whose signature is being read, with the depth of parentheses around each.
  const open: { readonly start: number; readonly depth: number }[] = []
  let depth = 0
  let previous = ''
  let end = 0
  for (let at = 0; at < source.length; ) {
    const next = tokenEnd(source, at)
    const token = source.slice(at, next)
    if (token === '(' || token === '[') depth++
    else if (token === ')' || token === ']') depth--
    // A brace is the body, or a type in the signature, which cannot be decided here.
    else if (token === '{') open.length = 0
    while (open.length > 0 && depth < (open.at(-1)?.depth ?? 0)) open.pop()
    const last = open.at(-1)
    if (last?.depth === depth) {
      if (token === '\n' || token === ';' || token === '}') return { start: last.start, end }
      // What continues the statement makes it something else.
      if (/^[,.=+&|<>]$/.test(token)) open.pop()
    }
    if (token === 'func' && beforeValue.has(previous)) open.push({ start: at, depth })
    if (token.trim() !== '' && !token.startsWith('//') && !token.startsWith('/*')) {
      previous = token
      end = next
    }
    at = next
  }
  const last = open.at(-1)
  return last?.depth === depth ? { start: last.start, end } : undefined
}

function tokenEnd(source: string, at: number): number {
  return source.startsWith(':=', at) ? at + 2 : Math.max(goTokenEnd(source, at), at + 1)
}
