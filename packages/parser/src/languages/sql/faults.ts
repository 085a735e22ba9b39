import { clamp, closest, positionAt } from '@stickler/core/internal'
import type { SyntaxFault } from '@stickler/core/validators'
import { endOfText, faultAt } from '../fault-at.ts'
import { afterCodePoints } from '../offsets.ts'
import { quoted } from '../quoted.ts'
import { after, lineEnd } from '../skip-space.ts'

/** A piece of SQL that the lexer skips or stops at. */
interface SqlToken {
  readonly start: number
  readonly end: number
  /** One character, a whole word, or the first characters of what is quoted or commented. */
  readonly kind: 'word' | 'quoted' | 'comment' | 'sign'
}

const isWord = /[A-Za-z0-9_$\u0080-\uffff]/

/** Reads the token at an offset, which must not be inside another; unclosed ones end with the text. */
function sqlTokenAt(text: string, at: number): SqlToken {
  const char = text[at] ?? ''
  const two = text.slice(at, at + 2)
  if (two === '--') return { start: at, end: lineEnd(text, at), kind: 'comment' }
  if (two === '/*') return { start: at, end: commentEnd(text, at), kind: 'comment' }
  if (char === "'" || char === '"') return { start: at, end: quotedEnd(text, at, char, false), kind: 'quoted' }
  if ((char === 'e' || char === 'E') && text[at + 1] === "'") return { start: at, end: quotedEnd(text, at + 1, "'", true), kind: 'quoted' }
  if (char === '$') {
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]{0,62})?\$/.exec(text.slice(at, at + 66))?.[0]
    if (tag !== undefined) return { start: at, end: after(text, tag, at + tag.length), kind: 'quoted' }
  }
  let end = at + 1
  if (!isWord.test(char)) return { start: at, end, kind: 'sign' }
  while (end < text.length && isWord.test(text[end] ?? '')) end++
  return { start: at, end, kind: 'word' }
}

/** Where the statement after the one at an offset starts; undefined when there is none. */
function nextStatement(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; ) {
    const { start, end } = sqlTokenAt(text, at)
    if (text[start] === ';') return end
    at = end
  }
  return undefined
}

/** Where the innermost parenthesis between two offsets opens that is not closed; undefined without one. */
function openParenthesis(text: string, from: number, to: number): number | undefined {
  const open: number[] = []
  for (let at = from; at < to; ) {
    const { start, end } = sqlTokenAt(text, at)
    const char = text[start]
    if (char === '(') open.push(start)
    else if (char === ')') open.pop()
    else if (char === ';') open.length = 0
    at = end
  }
  return open.at(-1)
}

/** The end of a comment; comments nest. */
function commentEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const two = text.slice(at, at + 2)
    if (two === '/*') depth++
    else if (two === '*/' && --depth === 0) return at + 2
    at += two === '/*' || two === '*/' ? 2 : 1
  }
  return text.length
}

/** A doubled quote does not end it: its halves are read as two neighbours, which comes to the same. */
function quotedEnd(text: string, from: number, quote: string, hasEscapes: boolean): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (hasEscapes && text[at] === '\\') at++
  }
  return text.length
}

/** Commands of psql that also end the statement before them. */
const sends = /^\\(?:g|gx|gdesc|gexec|gset|bind|watch|crosstabview)\b/

/**
 * The text without the syntax of a client at the place where PostgreSQL stopped: a psql command, the data of `COPY … FROM stdin`,
 * or a placeholder of a driver. Every character keeps its place; undefined when there is none.
 */
function allowClientSyntax(text: string, at: number): string | undefined {
  return (
    withoutCopiedRows(text, at) ??
    withoutCommand(text, at) ??
    withoutNamed(text, at) ??
    withoutFormat(text, at) ??
    withoutQuestionMark(text, at)
  )
}

/** `\d users`, `\gset` … up to the end of the line. */
function withoutCommand(text: string, at: number): string | undefined {
  if (text[at] !== '\\' || !/^\\[a-z!?]/i.test(text.slice(at, at + 2))) return undefined
  const lineBreak = text.indexOf('\n', at)
  const end = lineBreak < 0 ? text.length : lineBreak
  const isSent = sends.test(text.slice(at, at + 16))
  return replaced(text, at, end, isSent ? ';' : '')
}

/** `:name`, `:'name'` and `:"name"`. */
function withoutNamed(text: string, at: number): string | undefined {
  const name = /^:(?:[A-Za-z_]\w{0,62}|'\w{1,63}'|"\w{1,63}")/.exec(text.slice(at, at + 66))?.[0]
  return name === undefined ? undefined : replaced(text, at, at + name.length, '$1')
}

/** `%s` and `%(name)s`; after `IN` they stand for a whole list. */
function withoutFormat(text: string, at: number): string | undefined {
  const format = /^%(?:\(\w{1,63}\))?[sbt](?!\w)/.exec(text.slice(at, at + 68))?.[0]
  if (format === undefined) return undefined
  const value = replaced(text, at, at + format.length, '$1')
  const list = /\b(?:not\s{1,8})?in\s{0,8}$/i.exec(text.slice(Math.max(0, at - 32), at))?.[0]
  return list === undefined ? value : replaced(value, at - list.length, at, ' =')
}

/** `?`, which is an operator of PostgreSQL, so that it stops after it. */
function withoutQuestionMark(text: string, at: number): string | undefined {
  let before = at - 1
  while (before >= 0 && /\s/.test(text[before] ?? '')) before--
  return text[before] === '?' ? replaced(text, before, before + 1, '1') : undefined
}

/** The rows between `COPY … FROM stdin;` and `\.`. */
function withoutCopiedRows(text: string, at: number): string | undefined {
  const statementEnd = text.lastIndexOf(';', at)
  const statement = text.slice(text.lastIndexOf(';', statementEnd - 1) + 1, statementEnd)
  if (statementEnd < 0 || statement.length > 4000 || !/\bcopy\b/i.test(statement) || !/\bfrom\s+stdin\b/i.test(statement)) return undefined
  const end = /^\\\.[ \t\r]*$/m.exec(text.slice(at))
  return end === null ? undefined : replaced(text, statementEnd + 1, at + end.index + 2, '')
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(start + by.length, end).replace(/[^\r\n]/g, ' ') + text.slice(end)
}

/** Words that statements and their clauses begin with, and that are misspelt most. */
const keywords = (
  'SELECT INSERT UPDATE DELETE CREATE ALTER DROP TABLE VIEW INDEX FUNCTION TRIGGER FROM WHERE GROUP ORDER HAVING LIMIT OFFSET UNION ' +
  'JOIN INNER OUTER LEFT RIGHT VALUES INTO RETURNING BEGIN COMMIT ROLLBACK GRANT REVOKE TRUNCATE EXPLAIN ANALYZE WITH DISTINCT ' +
  'BETWEEN EXISTS DEFAULT PRIMARY FOREIGN REFERENCES CONSTRAINT UNIQUE NULL CASCADE MERGE USING'
).split(' ')

/** What each message of PostgreSQL's lexer asks for. */
const lexical: readonly (readonly [RegExp, string])[] = [
  [/^unterminated quoted string/, 'Close the quoted string that starts here.'],
  [/^unterminated quoted identifier/, 'Close the quoted identifier that starts here.'],
  [/^unterminated dollar-quoted string/, 'Close the dollar-quoted string that starts here.'],
  [/^unterminated \/\* comment/, 'Close the comment that starts here.'],
]

/** The fault at an offset, in a statement that starts no earlier than `from`, for a message of PostgreSQL. */
function describe(source: string, from: number, at: number, message: string): SyntaxFault {
  const end = endOfText(source)
  const start = Math.min(at, end)
  const token = start < end ? sqlTokenAt(source, start) : undefined
  const known = lexical.find(([pattern]) => pattern.test(message))
  if (known !== undefined) return faultAt(source, start, start + 1, known[1])
  if (!message.startsWith('syntax error')) return faultAt(source, start, token?.end ?? start, `Correct the SQL: ${clean(message)}.`)
  const word = token === undefined ? '' : source.slice(token.start, token.end)
  const open = word === '' || word === ';' ? openParenthesis(source, from, start) : undefined
  if (open !== undefined) {
    const { line, column } = positionAt(source, open)
    return faultAt(
      source,
      start,
      start + word.length,
      `Close the parenthesis of line ${line}, column ${column}, or complete what is in it.`,
    )
  }
  if (token === undefined) return faultAt(source, start, start, 'Complete the statement: PostgreSQL expects more here.')
  const meant = token.kind === 'word' && !isKeyword(word) ? closest(word, keywords) : undefined
  if (meant !== undefined) return faultAt(source, start, token.end, `Correct ${quoted(word)}: PostgreSQL does not expect it here.`, meant)
  return faultAt(source, start, token.end, `Correct the SQL at ${quoted(word)}: PostgreSQL does not expect it here.`)
}

function isKeyword(word: string): boolean {
  return keywords.includes(word.toUpperCase())
}

/** The message on one line, without the source that it quotes at its end. */
function clean(message: string): string {
  const [what = ''] = message.split(' at or near ')
  return clamp(what.replace(/\s+/g, ' '), 200)
}

/** PostgreSQL's error for a text that it rejects; the position counts code points from 0. */
export interface SqlProblem {
  readonly message: string
  readonly codePoint: number
}

/** Further faults help a model less, and each costs another pass. */
const mostFaults = 20
/** Further placeholders and psql commands are reported: each costs another pass. */
const mostAllowances = 200

/** The first fault of each statement, in their order. */
export function sqlFaults(source: string, firstProblem: (text: string) => SqlProblem | undefined): readonly SyntaxFault[] {
  const nul = source.indexOf('\0')
  // PostgreSQL stops at it, so that the rest would pass unread.
  if (nul >= 0) return [faultAt(source, nul, nul + 1, 'Remove the NUL character: SQL text cannot hold it.')]
  const faults: SyntaxFault[] = []
  let text = source.startsWith('\ufeff') ? ` ${source.slice(1)}` : source
  let start = 0
  for (let allowances = 0; faults.length < mostFaults; ) {
    const rest = text.slice(start)
    const problem = firstProblem(rest)
    if (problem === undefined) break
    const at = start + afterCodePoints(rest, problem.codePoint)
    const allowed = allowances < mostAllowances ? allowClientSyntax(text, at) : undefined
    if (allowed !== undefined) {
      allowances++
      text = allowed
      continue
    }
    faults.push(describe(source, start, at, problem.message))
    const next = nextStatement(text, at)
    if (next === undefined) break
    start = next
  }
  return faults
}
