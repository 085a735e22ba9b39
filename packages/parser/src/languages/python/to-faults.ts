import type { Diagnostic } from '@astral-sh/ruff-wasm-nodejs'
import { positionAt } from '@stickler/core/internal'
import type { SyntaxFault } from '@stickler/core/validators'
import { faultAt } from '../fault-at.ts'
import { type Mistake, mistakeAt } from '../model-mistakes.ts'
import { lineAt } from '../offsets.ts'
import { wordings } from './wordings.ts'

/** Operators of other languages, and what Python has for them. */
const operators: readonly (readonly [string, string])[] = [
  ['&&', 'and'],
  ['||', 'or'],
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
]

/** Lines that are not Python: the pattern of their start, and what to do. */
const lines: readonly (readonly [RegExp, string])[] = [
  [/^\s*>>>/, 'Remove the prompt (`>>>` or `...`) and the output: write only the code.'],
  [/^\s*[!%]{1,2}\w/, 'Remove this notebook command: it is not Python.'],
  [/^\s*\$ \w/, 'Remove this shell command: it is not Python.'],
  [/^\s*print\s+[^\s=(.,[]/, 'Call print with parentheses: print(…).'],
  [/^\s*exec\s+["']/, 'Call exec with parentheses: exec(…).'],
  [/^\s*raise\s+[\w.]+\s*,/, 'Raise one exception: raise Error(message).'],
  [/^\s*except\s+[\w.]+\s*,\s*[a-z_]\w*\s*:/, 'Write `except Error as name:`, or put several exceptions in parentheses.'],
  [/^\s*(?:let|var|const)\s+\w/, 'Remove the `let`, `var` or `const`: Python has no keyword for variables.'],
  [/^\s*switch\s+\w/, 'Write `match` instead of `switch`.'],
  [/^\s*function\s+\w/, 'Write `def` instead of `function`.'],
  [
    /^\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|try|with)\b[^#:]*\{\s*$/,
    'End this line with `:` instead of `{`, and indent the block.',
  ],
  [/^\s*\/\//, 'Write comments with `#`, not `//`.'],
  [/^\s*\/\*/, 'Write comments with `#`, not `/* */`.'],
  [/^\s*else if\b/, 'Write `elif` instead of `else if`.'],
  [/^\s*\w[\w.]*(?:\+\+|--)[\s;]*$/, 'Write `+= 1` or `-= 1`: Python has no `++` and `--`.'],
]

/** Finds syntax of another language, or of another version of Python, at the place of a fault. */
function foreignAt(source: string, offset: number): Mistake | undefined {
  for (const [operator, wanted] of operators) {
    const start = source.slice(Math.max(0, offset - 2), offset + operator.length).indexOf(operator)
    if (start >= 0) return { message: `Write \`${wanted}\` instead of \`${operator}\`.`, suggestion: wanted }
  }
  if (source.charAt(offset) === '?') return { message: 'Write a conditional as `a if condition else b`: Python has no `?`.' }
  const line = lineAt(source, offset)
  const found = lines.find(([pattern]) => pattern.test(line))
  return found === undefined ? undefined : { message: found[1] }
}

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

/** A model acts on the first faults. */
const mostFaults = 20

/** The faults for what Ruff reports: one for each line, since the further ones only follow from it, and the bracket that is never closed. */
export function toFaults(diagnostics: readonly Diagnostic[], source: string): readonly SyntaxFault[] {
  if (diagnostics.length === 0) return []
  const starts = lineStarts(source)
  const faults: SyntaxFault[] = []
  const lines = new Set<number>()
  const early = new Set<SyntaxFault>()
  for (const { message, start_location: from, end_location: to } of diagnostics) {
    if (lines.has(from.row)) continue
    const place = { start: offsetOf(from), end: offsetOf(to) }
    const { start, end } = message.startsWith('Expected an indented block') ? nextCode(source, place) : place
    const line = positionAt(source, start).line
    // The block of a line that was not understood is not indented too much.
    const isBlock = message.startsWith('Unexpected indentation') && lines.has(line - 1)
    if (lines.has(line)) continue
    lines.add(line)
    if (isBlock) continue
    const told = describe(message, source, start)
    const fault = faultAt(source, start, end, told.message, told.suggestion)
    faults.push(fault)
    if (told.endsEarly) early.add(fault)
    if (faults.length === mostFaults) break
  }
  return withOpenBracket(faults, early, source)

  function offsetOf({ row, column }: { readonly row: number; readonly column: number }): number {
    return (starts[row - 1] ?? source.length) + column - 1
  }
}

/** A bracket that is still open at the end explains what was found after it. */
function withOpenBracket(faults: readonly SyntaxFault[], early: ReadonlySet<SyntaxFault>, source: string): readonly SyntaxFault[] {
  const bracket = openBracket(source)
  const first = faults[0]
  if (bracket === undefined || first === undefined) return faults
  const { at, closing } = bracket
  const line = positionAt(source, at).line
  if (line > first.line) return faults
  const open = faultAt(source, at, at + 1, `Close this \`${source.charAt(at)}\` with \`${closing}\`: it is never closed.`)
  return [open, ...faults.filter((fault) => fault.line > line && !early.has(fault))]
}

/** What should be indented: the next line with code. */
function nextCode(source: string, place: Range): Range {
  let at = place.start
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '#') while (at < source.length && !/[\r\n]/.test(source.charAt(at))) at++
    else if (/\s/.test(char)) at++
    else break
  }
  return at < source.length && at > place.end ? { start: at, end: at + 1 } : place
}

interface Range {
  readonly start: number
  readonly end: number
}

function lineStarts(source: string): readonly number[] {
  const starts = [0]
  for (const { 0: ending, index } of source.matchAll(/\r\n|[\r\n]/g)) starts.push(index + ending.length)
  return starts
}

/** Says what to do about a report of Ruff. */
function describe(message: string, source: string, at: number): Mistake {
  const foreign = /^(?:Expected|Got unexpected|Simple statements|Compound|Invalid|Multiple exception)/.test(message)
    ? foreignAt(source, at)
    : undefined
  if (foreign !== undefined) return foreign
  const mistake = isAboutMeaning(message) ? undefined : mistakeAt(source, at, '#')
  if (mistake !== undefined) return mistake
  const token = tokenAt(source, at)
  for (const [pattern, word] of wordings) {
    const match = pattern.exec(message)
    if (match !== null) return word({ match, token })
  }
  return { message: /[.!?]$/.test(message) ? message : `${message}.` }
}

/** The token is code. */
function isAboutMeaning(message: string): boolean {
  return /outside|closing quote|Duplicate|indent|target|keyword|`(?:global|nonlocal)/.test(message)
}

/** The word or sign at an offset; empty at the end of a line. */
function tokenAt(source: string, at: number): string {
  return /^[ \t]*([\p{L}\p{N}_]+|[^\s])/u.exec(source.slice(at, at + 100))?.[1] ?? ''
}
