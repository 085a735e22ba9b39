import { clamp, closest, positionAt, type SyntaxFault } from '@stickler/core/syntax'
import { endOfText, faultAt } from '../fault-at.ts'
import { quoted } from '../quoted.ts'
import { openParenthesis, sqlTokenAt } from './lexer.ts'

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
export function describe(source: string, from: number, at: number, message: string): SyntaxFault {
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
