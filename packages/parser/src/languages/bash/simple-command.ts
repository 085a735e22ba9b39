import { isSign, startsRedirection } from './cursor.ts'
import type { BashGrammar } from './grammar.ts'
import type { BashToken } from './lexer.ts'
import { isAssignment, type WordContext } from './word.ts'
import { declaringCommands } from './words.ts'

/** Reads assignments, words and redirections, or the definition of a function; `name` was taken already. */
export function simpleCommand(grammar: BashGrammar, name?: BashToken): void {
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
