import { type BashCursor, isReserved, isSign } from './cursor.ts'
import type { BashGrammar } from './grammar.ts'
import { type BashToken, isBinaryTest, isUnaryTest } from './lexer.ts'
import { pairEnd } from './pairs.ts'
import { BashProblem } from './problem.ts'
import { isAssignment } from './word.ts'

type Read = (grammar: BashGrammar, opening: BashToken) => void

/** How each compound command is read after its first word. */
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['if', readIf],
  ['while', readLoop],
  ['until', readLoop],
  ['for', readFor],
  ['select', readFor],
  ['case', readCase],
  ['{', readGroup],
  ['(', readSubshell],
  ['[[', conditional],
])

/** Reads the compound command that starts with a token; false when none does. */
export function compoundCommand(grammar: BashGrammar, token: BashToken): boolean {
  const { cursor } = grammar
  if (isSign(token, 'function')) readFunction(grammar)
  else if (isSign(token, 'coproc')) readCoprocess(grammar)
  else {
    const read = readerOf(token)
    if (read === undefined) return false
    read(grammar, cursor.next('command'))
  }
  return true
}

/** Reads the body of a function, which is a compound command. */
export function functionBody(grammar: BashGrammar): void {
  const token = grammar.cursor.peek('command')
  const read = readerOf(token)
  if (read === undefined) throw grammar.cursor.unexpected(token, 'the body of the function in braces')
  read(grammar, grammar.cursor.next('command'))
  grammar.redirections()
}

function readerOf(token: BashToken): Read | undefined {
  const read = readers.get(token.text)
  return read !== undefined && isSign(token, token.text) ? read : undefined
}

function readIf(grammar: BashGrammar, opening: BashToken): void {
  const { cursor } = grammar
  cursor.within(opening, 'fi', () => {
    do {
      grammar.commands()
      cursor.expect('then')
      grammar.commands()
    } while (cursor.take('elif'))
    if (cursor.take('else')) grammar.commands()
  })
}

function readLoop(grammar: BashGrammar, opening: BashToken): void {
  const { cursor } = grammar
  cursor.within(opening, 'done', () => {
    grammar.commands()
    cursor.expect('do')
    grammar.commands()
  })
}

function readFor(grammar: BashGrammar, opening: BashToken): void {
  const { cursor } = grammar
  const { text } = cursor.lexer
  const first = cursor.peek('argument')
  if (opening.text === 'for' && isSign(first, '(') && text[first.end] === '(') {
    const end = arithmeticEnd(grammar, first)
    if (end === undefined) throw cursor.unexpected(first)
    if (text.slice(first.end, end).split(';').length !== 3)
      throw new BashProblem(first.start, end, 'Write three expressions with two semicolons between the double parentheses.')
    cursor.jump(end)
    if (!cursor.take(';')) cursor.skipNewlines()
    cursor.skipNewlines()
    readLoopBody(grammar, opening)
    return
  }
  cursor.word('argument', 'the name of a variable')
  if (cursor.take(';')) cursor.skipNewlines()
  else {
    cursor.skipNewlines()
    if (cursor.take('in')) readValues(grammar)
  }
  readLoopBody(grammar, opening)
}

/** Reads the words after `in`, and what ends them. */
function readValues(grammar: BashGrammar): void {
  const { cursor } = grammar
  let last: BashToken | undefined
  while (cursor.peek('argument').kind === 'word') last = cursor.next('argument')
  const token = cursor.peek('argument')
  if (!isSign(token, ';') && token.kind !== 'newline') throw cursor.unexpected(token, token.kind === 'end' ? 'do' : undefined)
  cursor.next('argument')
  cursor.skipNewlines()
  const body = cursor.peek('command')
  // A `do` among the values was meant to begin the loop, unless another one does.
  if (last?.text === 'do' && !isSign(body, 'do') && !isSign(body, '{'))
    throw new BashProblem(last.start, last.end, 'Write `;` before `do`.')
}

function readLoopBody(grammar: BashGrammar, opening: BashToken): void {
  const { cursor } = grammar
  if (isSign(cursor.peek('command'), '{')) readGroup(grammar, cursor.next('command'))
  else
    cursor.within(opening, 'done', () => {
      cursor.expect('do')
      grammar.commands()
    })
}

function readCase(grammar: BashGrammar, opening: BashToken): void {
  const { cursor } = grammar
  cursor.word('argument', 'the word to compare')
  cursor.skipNewlines()
  cursor.expect('in')
  cursor.within(opening, 'esac', () => {
    for (;;) {
      cursor.skipNewlines()
      if (isSign(cursor.peek('argument'), 'esac')) return
      if (isSign(cursor.peek('argument'), '(')) cursor.next('argument')
      do cursor.word('argument', 'a pattern')
      while (cursor.take('|'))
      cursor.expect(')')
      cursor.skipNewlines()
      const token = cursor.peek('command')
      if (!isCaseEnd(token) && !isSign(token, 'esac')) grammar.commands()
      if (!isCaseEnd(cursor.peek('command'))) return
      cursor.next('command')
    }
  })
}

function isCaseEnd(token: BashToken): boolean {
  return isSign(token, ';;') || isSign(token, ';&') || isSign(token, ';;&')
}

function readGroup(grammar: BashGrammar, opening: BashToken): void {
  grammar.cursor.within(opening, '}', () => grammar.commands())
}

/** `((…))` is arithmetic where both parentheses close together, else a shell in a shell. */
function readSubshell(grammar: BashGrammar, opening: BashToken): void {
  const { cursor } = grammar
  const end = cursor.lexer.text[opening.end] === '(' ? arithmeticEnd(grammar, opening) : undefined
  if (end !== undefined) cursor.jump(end)
  else cursor.within(opening, ')', () => grammar.commands())
}

/** The end of arithmetic whose first parenthesis is a token; undefined when its parentheses do not close together. */
function arithmeticEnd(grammar: BashGrammar, opening: BashToken): number | undefined {
  const { text } = grammar.cursor.lexer
  // Parentheses inside are matched once, however deep they are.
  const { pairs } = grammar
  const onInner = (open: number, after: number): void => void pairs.set(open, after)
  const end = pairs.get(opening.end) ?? pairEnd(text, opening.end, ')', grammar.substitution, { onInner })
  return text[end] === ')' ? end + 1 : undefined
}

function readFunction(grammar: BashGrammar): void {
  const { cursor } = grammar
  cursor.next('command')
  cursor.word('argument', 'the name of the function')
  const open = cursor.peek('command')
  if (isSign(open, '(')) {
    cursor.next('command')
    if (!cursor.take(')')) {
      cursor.within(open, ')', () => grammar.commands())
      return
    }
  }
  cursor.skipNewlines()
  functionBody(grammar)
}

function readCoprocess(grammar: BashGrammar): void {
  const { cursor } = grammar
  cursor.next('command')
  if (compoundCommand(grammar, cursor.peek('command'))) return
  const name = cursor.word('command', 'a command')
  if (isReserved(name)) throw cursor.unexpected(name)
  const second = cursor.peek('command')
  if (!isAssignment(name.text) && compoundCommand(grammar, second)) return
  if (!isAssignment(name.text) && isReserved(second) && second.text !== 'time') throw cursor.unexpected(second)
  grammar.simple(name)
}

/** Reads `[[ … ]]` after its opening. */
function conditional({ cursor }: BashGrammar, opening: BashToken): void {
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
