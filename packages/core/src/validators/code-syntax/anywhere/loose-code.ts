import type { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import { readReference, references } from '../../shared/character-reference.ts'
import { PlaceMap } from '../blocks/place-map.ts'
import { hasCode, type Snippet } from '../snippet.ts'
import { type Decoration, renderedCode, shownCode, undecorated } from './decoration.ts'
import { afterTag } from './fence-line.ts'
import { isCodeKind, isCommand, isReturn, type LineKind, lineKind } from './line-kind.ts'
import { type LooseLine, type LoosePiece, LooseScanner } from './loose-scanner.ts'

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
  const all = runsOf(text, scanner.lines, 'plain')
  const runs = (isBeside ? all.filter(({ hasCode }) => hasCode) : all).map((run) => runSnippet(text, run, language))
  const whole = pieces.flatMap(({ piece, snippet }) => (piece.kind === 'mention' ? [] : [snippet]))
  const found = [...runs, ...whole].map((snippet) => (isBeside ? { ...snippet, isDoubtful: true } : snippet))
  const mentions = pieces.flatMap(({ piece, snippet }) => (piece.kind === 'mention' ? [{ ...snippet, isDoubtful: true }] : []))
  return { found, mentions: isBeside || found.some(hasCode) ? mentions : withLines(text, scanner.lines, mentions, language) }
}

/** Statements in sentences, where lines that are wholly code are read together. */
function withLines(text: string, lines: readonly LooseLine[], mentions: readonly Snippet[], language: string): Snippet[] {
  const runs = runsOf(text, lines, 'wide').map((run) => ({ ...runSnippet(text, run, language), isDoubtful: true }))
  const isInRun = ({ span }: Snippet): boolean => runs.some((run) => run.span.start <= span.start && span.end <= run.span.end)
  return [...runs, ...(runs.length === 0 ? mentions : mentions.filter((mention) => !isInRun(mention)))]
}

interface Run {
  /** The lines, as far as they are code. */
  readonly lines: TextSpan[]
  statements: number
  hasCode: boolean
  isSure: boolean
  /** Whether it is shown otherwise than it is written. */
  isMasked: boolean
  /** How many blocks of AVAP are open. */
  open: number
  /** The functions that it defines. */
  readonly functions: Set<string>
}

/** Lines of code that belong together: blank lines may divide them, prose ends them. */
function runsOf(text: string, lines: readonly LooseLine[], decoration: Decoration): Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  let blanks: TextSpan[] = []
  let before = ''
  let beforeKind: LineKind = 'blank'
  let commentEnd = 0
  for (const line of lines) {
    const written = text.slice(line.start, line.end)
    const kind = line.start < commentEnd ? 'code' : lineKind(written, decoration)
    const isCode = isCodeKind(kind)
    // Other cells of a row number or explain the code.
    if (line.isCell && !isCode) continue
    // A heading right between lines of code is a comment of another language.
    if (kind === 'blank' || (kind === 'heading' && run?.hasCode && blanks.length === 0)) {
      if (beforeKind === 'heading') run = undefined
      blanks.push(kind === 'blank' ? { start: line.end, end: line.end } : line)
      beforeKind = kind
      continue
    }
    const { start, end } = undecorated(written, decoration)
    const code = written.slice(start, end)
    if (isCode || (run !== undefined && continues(run, kind, code, blanks.length > 0))) {
      if (run === undefined) {
        run = { lines: [], statements: 0, hasCode: false, isSure: false, isMasked: false, open: 0, functions: new Set() }
        runs.push(run)
      }
      // What is indented or closes a bracket belongs to a block.
      if (isCode || /^(?:\s+\S|[}\])])/.test(code)) run.statements++
      run.hasCode ||= kind === 'code'
      run.isMasked ||= isCode && shownCode(code) !== code
      // Equations alone are not a program.
      run.isSure ||= run.hasCode && (run.statements > 1 || isSurelyCode(code, before))
      if (run.lines.length > 0) for (const blank of blanks) run.lines.push(blank)
      run.lines.push({ start: line.start + start, end: line.start + end })
      if (line.start >= commentEnd) {
        countBlocks(run, code.trimStart().slice(0, longestHead))
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
function continues({ hasCode, open, functions }: Run, kind: LineKind, code: string, isApart: boolean): boolean {
  if (kind !== 'other' && (kind !== 'formula' || !hasCode)) return false
  if (!isApart || open > 0) return true
  const content = code.trimStart().slice(0, longestHead)
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

function runSnippet(text: string, { lines, isSure, isMasked }: Run, language: string): Snippet {
  const [start, end] = [lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0]
  const code = lines.map((line) => text.slice(line.start, line.end)).map((line) => (isMasked ? renderedCode(line) : line))
  const isLast = text.slice(end).trim() === ''
  return {
    language,
    source: `${code.join('\n')}\n`,
    span: { start, end },
    closed: !isLast,
    place: (offset) => placeIn(lines, offset),
    ...(isSure && !isMasked ? {} : { isDoubtful: true }),
  }
}

/** Where an offset of the joined lines is in the text. */
function placeIn(lines: readonly TextSpan[], offset: number): number {
  let from = 0
  for (const { start, end } of lines) {
    if (offset <= from + end - start) return start + Math.max(0, offset - from)
    from += end - start + 1
  }
  return lines.at(-1)?.end ?? 0
}

function pieceSnippet({ kind, start, text: written, open }: LoosePiece, language: string): Snippet {
  // As long as before, so that places stay.
  const text = kind === 'element' ? written.replace(/<br\s?\/?>(?:\r?\n)?/gi, ({ length }) => `\n${' '.repeat(length - 1)}`) : written
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
