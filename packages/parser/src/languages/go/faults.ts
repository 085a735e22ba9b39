import { clamp } from '@stickler/core/internal'
import type { SyntaxFault } from '@stickler/core/validators'
import { endOfText, faultAt } from '../fault-at.ts'
import { afterLineAndBytes } from '../offsets.ts'
import { after, lineEnd } from '../skip-space.ts'

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

/** What gofmt puts before a fragment of declarations. */
const declarations = 'package p;'

/** What it puts before and after a fragment of statements. */
const statements = ['package p; func _() {', '\n\n}'] as const

/** The first fault of a source; Go's parser loses its way after it. */
export function goFaults(source: string, firstProblem: (text: string) => string | undefined): readonly SyntaxFault[] {
  // A line directive would move the places that are reported.
  const text = source.replace(/(\/[/*])line /g, '$1Line ')
  const fault = isFile(text) ? faultOf(source, firstProblem(text), 0) : fragmentFault()
  if (fault !== undefined) return [fault]
  const bodyless = bodylessFunction(source)
  return bodyless === undefined ? [] : [faultAt(source, bodyless.start, bodyless.end, 'Give the function literal a body in braces.')]

  function fragmentFault(): SyntaxFault | undefined {
    const asDeclarations = firstProblem(declarations + text)
    if (asDeclarations === undefined) return undefined
    const [before, after] = statements
    const asStatements = firstProblem(before + text + after)
    if (asStatements === undefined) return undefined
    return asDeclarations.includes('expected declaration')
      ? faultOf(source, asStatements, before.length)
      : faultOf(source, asDeclarations, declarations.length)
  }
}

/** Whether the first word is `package`. */
function isFile(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = Math.max(goTokenEnd(text, at), at + 1)
    const token = text.slice(at, end)
    if (!/^[\s\ufeff]*$/.test(token) && !token.startsWith('//') && !token.startsWith('/*'))
      return token.replace(/^\ufeff/, '') === 'package'
    at = end
  }
  return false
}

/** Reads `line:column: message`, with columns in bytes; the first line has `shift` characters that are not the source's. */
function faultOf(source: string, problem: string | undefined, shift: number): SyntaxFault | undefined {
  if (problem === undefined) return undefined
  const [, line = '1', column = '1', what = ''] = /^(\d+):(\d+): ([\s\S]*)$/.exec(problem) ?? []
  const byte = Number(column) - (line === '1' ? shift : 0)
  const start = Math.min(afterLineAndBytes(source, Number(line), Math.max(byte, 1)), endOfText(source))
  return faultAt(source, start, goTokenEnd(source, start), goMessage(what))
}

/** What to do about a message of Go's parser, such as `expected ')', found '}'` or `missing ',' in argument list`. */
function goMessage(problem: string): string {
  const what = clamp((problem.split(' (and ')[0] ?? '').replace(/\s+/g, ' '), 200)
  if (what.startsWith("missing '")) return `Insert the ${what}.`
  const [expected = '', found] = what.split(', found ')
  if (!expected.startsWith('expected ') || found === undefined) return `Correct the Go code: ${what}.`
  return `Write ${named(expected.slice('expected '.length))} here instead of ${named(found)}.`
}

/** Go's parser writes tokens in quotes and kinds of code bare. */
function named(what: string): string {
  if (what === "'IDENT'") return 'a name'
  if (what === "'EOF'") return 'the end of the code'
  if (what === 'newline') return 'a new line'
  if (what.startsWith("'") || what.startsWith('"')) return what
  return /^[aeiou]/.test(what) ? `an ${what}` : `a ${what}`
}

/** Where the token at an offset ends: a comment, a string, a word, or one character; unclosed ones end with their line or the text. */
function goTokenEnd(text: string, at: number): number {
  const char = text[at] ?? ''
  if (char === '' || char === '\n') return at
  const two = text.slice(at, at + 2)
  if (two === '//') return lineEnd(text, at)
  if (two === '/*') return after(text, '*/', at + 2)
  if (char === '`') return after(text, '`', at + 1)
  if (char === '"' || char === "'") return quotedEnd(text, at, char)
  let end = at + 1
  if (isWord(char)) while (end < text.length && isWord(text[end] ?? '')) end++
  return end
}

function isWord(char: string): boolean {
  return /[\w\u0080-\uffff]/.test(char)
}

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (text[at] === '\n') return at
    if (text[at] === '\\') at++
  }
  return text.length
}
