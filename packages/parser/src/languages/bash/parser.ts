import { compoundCommand, functionBody } from './compound.ts'
import { BashCursor, isSign, startsRedirection } from './cursor.ts'
import type { BashGrammar } from './grammar.ts'
import { type BashToken, compoundWords, declaringCommands, redirections, reservedWords } from './lexer.ts'
import type { Substitution } from './pairs.ts'
import { BashProblem } from './problem.ts'
import { isAssignment, type WordContext } from './word.ts'

/** Reads a script by the grammar of bash; throws BashProblem at the first fault. */
export class BashParser implements BashGrammar {
  readonly cursor: BashCursor
  readonly pairs = new Map<number, number>()
  readonly #ends = new Map<number, number>()

  constructor(text: string) {
    this.cursor = new BashCursor(text, {
      substitution: this.substitution,
      list: (open) => this.#list(open),
      hasExtendedPatterns: text.includes('extglob'),
    })
  }

  /** Reads the whole script. */
  script(): void {
    const { cursor } = this
    for (cursor.skipNewlines(); cursor.peek('command').kind !== 'end'; cursor.skipNewlines()) {
      this.commands(false)
      const token = cursor.peek('command')
      if (token.kind !== 'newline' && token.kind !== 'end') throw cursor.unexpected(token)
    }
  }

  /** On several lines when they are inside something. */
  commands(isInside = true): void {
    const { cursor } = this
    if (isInside) cursor.skipNewlines()
    do {
      this.#andOr()
      const hasSeparator = cursor.take(';') || cursor.take('&')
      if (!isInside && !hasSeparator) return
      if (isInside && !hasSeparator && cursor.peek('command').kind !== 'newline') return
      if (isInside) cursor.skipNewlines()
    } while (startsCommand(cursor.peek('command')))
  }

  /** Reads one command. */
  command(): void {
    const { cursor } = this
    const token = cursor.peek('command')
    if (this.compound(token)) this.redirections()
    // After a pipe `time` is a command like any other.
    else if (startsSimple(token) || isSign(token, 'time')) this.simple()
    else throw cursor.unexpected(token)
  }

  compound(token: BashToken): boolean {
    return compoundCommand(this, token)
  }

  simple(name?: BashToken): void {
    simpleCommand(this, name)
  }

  functionBody(): void {
    functionBody(this)
  }

  redirections(): void {
    const { cursor } = this
    for (let token = cursor.peek('command'); startsRedirection(token); token = cursor.peek('command')) this.redirection()
  }

  redirection(): void {
    const { cursor } = this
    if (cursor.peek('argument').kind === 'descriptor') cursor.next('argument')
    const operator = cursor.next('argument')
    if (operator.kind !== 'operator' || !redirections.has(operator.text)) throw cursor.unexpected(operator)
    const target = cursor.peek('argument')
    const isCopy = operator.text === '>&' || operator.text === '<&'
    if (target.kind !== 'word' && !(isCopy && target.kind === 'descriptor'))
      throw cursor.unexpected(target, 'the target of the redirection')
    cursor.next('argument')
    if (operator.text.startsWith('<<') && operator.text !== '<<<') cursor.lexer.expectHereDocument(target, operator.text === '<<-')
  }

  #andOr(): void {
    const { cursor } = this
    this.#pipelineCommand()
    while (cursor.take('&&') || cursor.take('||')) {
      cursor.skipNewlines()
      this.#pipelineCommand()
    }
  }

  #pipelineCommand(): void {
    const { cursor } = this
    for (;;) {
      if (cursor.take('time')) {
        if (cursor.peek('command').text === '-p') cursor.next('command')
        if (cursor.peek('command').text === '--') cursor.next('command')
      } else if (!cursor.take('!')) break
      const { kind, text } = cursor.peek('command')
      if (kind === 'newline' || kind === 'end' || text === ';') return
    }
    this.command()
    while (cursor.take('|') || cursor.take('|&')) {
      cursor.skipNewlines()
      this.command()
    }
  }

  /** Each is read once, however often it is asked for. */
  readonly substitution: Substitution = (open) => {
    const known = this.#ends.get(open)
    if (known !== undefined) return known
    const { cursor } = this
    const end = cursor.elsewhere(open, () => {
      cursor.within(cursor.next('command'), ')', () => {
        cursor.skipNewlines()
        if (!isSign(cursor.peek('command'), ')')) this.commands()
      })
      return cursor.end
    })
    this.#ends.set(open, end)
    return end
  }

  /** The end of the list of an assignment. */
  #list(open: number): number {
    const { cursor } = this
    return cursor.elsewhere(open + 1, () => {
      for (;;) {
        const token = cursor.next('list')
        if (token.kind === 'operator' && token.text === ')') return token.end
        if (token.kind === 'end') throw new BashProblem(open, open + 1, 'Close the parenthesis that opens here.')
        if (token.kind !== 'word' && token.kind !== 'newline') throw cursor.unexpected(token)
      }
    })
  }
}

function startsCommand(token: BashToken): boolean {
  return startsSimple(token) || isSign(token, '(') || (token.kind === 'word' && startsWord(token))
}

function startsWord({ isPlain, text }: BashToken): boolean {
  return !isPlain || !reservedWords.has(text) || compoundWords.has(text) || text === '!' || text === 'time'
}

function startsSimple(token: BashToken): boolean {
  return token.kind === 'word' ? !(token.isPlain && reservedWords.has(token.text)) : startsRedirection(token)
}

/** Reads assignments, words and redirections, or the definition of a function; `name` was taken already. */
function simpleCommand(grammar: BashGrammar, name?: BashToken): void {
  const { cursor } = grammar
  let context = name === undefined ? 'command' : contextAfter(name)
  let hasWord = name !== undefined
  for (let count = hasWord ? 1 : 0; ; count++) {
    const token = cursor.peek(context)
    if (startsRedirection(token)) {
      grammar.redirection()
      continue
    }
    if (token.kind !== 'word') return
    cursor.next(context)
    if (hasWord || isAssignment(token.text)) continue
    hasWord = true
    context = contextAfter(token)
    if (count > 0 || !isSign(cursor.peek('argument'), '(')) continue
    cursor.next('argument')
    cursor.expect(')')
    cursor.skipNewlines()
    grammar.functionBody()
    return
  }
}

/** How the words after the name of a command are read. */
function contextAfter({ isPlain, text }: BashToken): WordContext {
  return isPlain && declaringCommands.has(text) ? 'declaration' : 'argument'
}
