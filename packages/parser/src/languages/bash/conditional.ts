import { type BashCursor, isSign } from './cursor.ts'
import type { BashGrammar } from './grammar.ts'
import type { BashToken } from './lexer.ts'
import { isBinaryTest, isUnaryTest } from './words.ts'

/** Reads `[[ … ]]` after its opening. */
export function conditional({ cursor }: BashGrammar, opening: BashToken): void {
  cursor.within(opening, ']]', () => readOr(cursor))
}

function readOr(cursor: BashCursor): void {
  do {
    do readTerm(cursor)
    while (cursor.take('&&'))
  } while (cursor.take('||'))
}

function readTerm(cursor: BashCursor): void {
  cursor.skipNewlines()
  while (isSign(cursor.peek('argument'), '!')) {
    cursor.next('argument')
    cursor.skipNewlines()
  }
  const token = cursor.peek('argument')
  // Bash takes a missing operand before the end for an empty one.
  if (isSign(token, ']]')) return
  if (isSign(token, '(')) cursor.within(cursor.next('argument'), ')', () => readOr(cursor))
  else {
    operand(cursor, 'argument')
    if (isUnaryTest(token.text)) operand(cursor, 'argument')
    else readComparison(cursor)
  }
  cursor.skipNewlines()
}

/** Reads the operator and the right side, if there are any. */
function readComparison(cursor: BashCursor): void {
  cursor.skipNewlines()
  const operator = cursor.peek('argument')
  const isComparison = operator.kind === 'word' ? isBinaryTest(operator.text) : isSign(operator, '<') || isSign(operator, '>')
  if (isComparison) {
    cursor.next('argument')
    operand(cursor, operator.text === '=~' ? 'regex' : 'pattern')
  } else if (![']]', '&&', '||', ')'].some((end) => isSign(operator, end))) throw cursor.unexpected(operator)
}

function operand(cursor: BashCursor, context: 'argument' | 'pattern' | 'regex'): void {
  const token = cursor.peek(context)
  if (token.kind !== 'word' || isSign(token, ']]')) throw cursor.unexpected(token)
  cursor.next(context)
}
