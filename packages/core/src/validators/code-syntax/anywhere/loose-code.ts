import type { Answer } from '../../../answer/answer.ts'
import { afterMarks } from '../../../answer/markdown/meant-fence.ts'
import type { TextSpan } from '../../../answer/span.ts'
import { readReference, references } from '../../shared/character-reference.ts'
import { PlaceMap } from '../blocks/place-map.ts'
import type { Snippet } from '../snippet.ts'
import { afterTag } from './fence-line.ts'
import { isCommand, isReturn, type LineKind, lineKind } from './line-kind.ts'
import { type LoosePiece, LooseScanner } from './loose-scanner.ts'

/** The code of a text outside of its fenced blocks. */
export interface LooseCode {
  readonly found: readonly Snippet[]
  /** Statements in sentences, which may only be talked about. */
  readonly mentions: readonly Snippet[]
}

/** Finds the code outside of fenced blocks; beside code in fences it may be an excerpt, which does not parse alone. */
export function looseCode(
  { text, bodyStart }: Pick<Answer, 'text' | 'bodyStart'>,
  blocks: readonly { readonly span: TextSpan }[],
  language: string,
  isBeside: boolean,
): LooseCode {
  const scanner = new LooseScanner(bodyStart)
  let from = bodyStart
  for (const { span } of blocks) {
    if (span.start > from) scanner.push(text.slice(from, span.start), from)
    scanner.cut(Math.max(from, span.start), Math.max(from, span.end))
    from = Math.max(from, span.end)
  }
  scanner.push(text.slice(from), from)
  scanner.end(text.length)
  const pieces = scanner.pieces.map((piece) => ({ piece, snippet: pieceSnippet(piece, language) }))
  const all = runsOf(text, scanner.lines)
  const runs = (isBeside ? all.filter(({ hasCode }) => hasCode) : all).map((run) => runSnippet(text, run, language))
  const whole = pieces.flatMap(({ piece, snippet }) => (piece.kind === 'mention' ? [] : [snippet]))
  return {
    found: [...runs, ...whole].map((snippet) => (isBeside ? { ...snippet, isDoubtful: true } : snippet)),
    mentions: pieces.flatMap(({ piece, snippet }) => (piece.kind === 'mention' ? [{ ...snippet, isDoubtful: true }] : [])),
  }
}

interface Run {
  readonly lines: TextSpan[]
  statements: number
  hasCode: boolean
  isSure: boolean
  /** How many blocks of AVAP are open. */
  open: number
  /** The functions that it defines. */
  readonly functions: Set<string>
}

/** Lines of code that belong together: blank lines may divide them, prose ends them. */
function runsOf(text: string, lines: readonly TextSpan[]): Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  let blanks: TextSpan[] = []
  let before = ''
  let beforeKind: LineKind = 'blank'
  let commentEnd = 0
  for (const line of lines) {
    const written = text.slice(line.start, line.end)
    const kind = line.start < commentEnd ? 'code' : lineKind(written)
    // A heading right between lines of code is a comment of another language.
    if (kind === 'blank' || (kind === 'heading' && run?.hasCode && blanks.length === 0)) {
      if (beforeKind === 'heading') run = undefined
      blanks.push(line)
      beforeKind = kind
      continue
    }
    const isCode = kind === 'code' || kind === 'equation'
    if (isCode || (run !== undefined && continues(run, kind, written, blanks.length > 0))) {
      if (run === undefined) {
        run = { lines: [], statements: 0, hasCode: false, isSure: false, open: 0, functions: new Set() }
        runs.push(run)
      }
      // What is indented or closes a bracket belongs to a block.
      if (isCode || /^(?:\s+\S|[}\])])/.test(written)) run.statements++
      run.hasCode ||= kind === 'code'
      // Equations alone are not a program.
      run.isSure ||= run.hasCode && (run.statements > 1 || isSurelyCode(written, before))
      if (run.lines.length > 0) for (const blank of blanks) run.lines.push(blank)
      run.lines.push(line)
      if (line.start >= commentEnd) {
        countBlocks(run, written.slice(afterMarks(written), afterMarks(written) + longestHead))
        commentEnd = Math.max(commentEnd, endOfComment(text, line))
      }
    } else run = undefined
    blanks = []
    before = written
    beforeKind = kind
  }
  return runs
}

/** Whether a line that does not begin code goes on with it. */
function continues({ hasCode, open, functions }: Run, kind: LineKind, written: string, isApart: boolean): boolean {
  if (kind !== 'other' && (kind !== 'formula' || !hasCode)) return false
  if (!isApart || open > 0) return true
  const content = written.slice(afterMarks(written), afterMarks(written) + longestHead)
  return functions.has(/^(\w+) ?\(/.exec(content)?.[1] ?? '') || (hasCode && isReturn(content))
}

/** Of a longer line the start says whether it opens or closes a block. */
const longestHead = 200

function countBlocks(run: Run, content: string): void {
  const defined = /^function (\w+)/.exec(content)?.[1]
  if (defined !== undefined) run.functions.add(defined)
  if (/^(?:if|startLoop|go_async|try) ?\(|^function [^}]*$/.test(content)) run.open++
  else if (/^(?:end|endLoop) ?\(|^\}/.test(content)) run.open = Math.max(0, run.open - 1)
}

/** Where the comment ends that a line opens after its last bracket; 0 without one. */
function endOfComment(text: string, { start, end }: TextSpan): number {
  const line = text.slice(start, end)
  const opened = line.lastIndexOf('/*')
  if (opened < 0 || line.includes('*/', opened) || line.includes(')', opened) || line.slice(0, opened).includes('//')) return 0
  return text.indexOf('*/', end) + 1
}

/** Whether a single line is meant as code: it is a command or assigns the result of a call, is indented, or is announced. */
function isSurelyCode(line: string, before: string): boolean {
  const called = /^\W*(?:(?:const|let|var) )?(?:\w+\s*:?=\s*)?([\w.]+) ?\(/.exec(line.slice(0, 200))?.[1] ?? '' // backtracks: at most 200 characters
  return /^(?: {4}|\t)/.test(line) || before.trimEnd().endsWith(':') || isCommand(called) || called.includes('.')
}

function runSnippet(text: string, { lines, isSure }: Run, language: string): Snippet {
  const [start, end] = [lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0]
  const code = lines.map((line) => withoutMarks(text.slice(line.start, line.end)))
  const map = new PlaceMap(`${code.join('\n')}\n`, text.slice(start, end), start)
  const isLast = text.slice(end).trim() === ''
  return {
    language,
    source: `${code.join('\n')}\n`,
    span: { start, end },
    closed: !isLast,
    place: (offset) => map.at(offset),
    ...(isSure ? {} : { isDoubtful: true }),
  }
}

/** A line without marks of lists and quotes; its indentation stays. */
function withoutMarks(line: string): string {
  const at = afterMarks(line)
  return line.slice(0, at).trim() === '' ? line : line.slice(at)
}

function pieceSnippet({ kind, start, text, open }: LoosePiece, language: string): Snippet {
  const { code, from } = kind === 'fence' ? afterTag(text) : kind === 'element' ? inElement(text) : { code: text, from: 0 }
  const source = `${code}\n`
  const map = new PlaceMap(source, kind === 'fence' ? text.slice(from, from + code.length) : text.slice(from), start + from)
  return { language, source, span: { start, end: start + text.length }, closed: !open, place: (offset) => map.at(offset) }
}

/** The code of an element, without the tags right inside of it. */
function inElement(text: string): { readonly code: string; readonly from: number } {
  const from = /^\s*<code(?:\s[^<>]{0,200})?>/i.exec(text)?.[0].length ?? 0
  const code = text.slice(from).replace(/<\/code>\s*$/i, '')
  return {
    code: code.replace(references, (...match: string[]) => readReference(match) ?? match[0] ?? '').replaceAll('\u00a0', ' '),
    from,
  }
}
