import { closest } from '@stickler/core/internal'
import type { Arity, AvapCommand } from './catalogue.ts'
import { expressionFault } from './expression.ts'
import { nestedFault } from './nested-calls.ts'
import { endOf, isDigit, isNamePart, type Line, type Token, type TokenRun } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'
import {
  abbreviate,
  arityFault,
  flawFault,
  hashFault,
  type LineFault,
  quoted,
  spanOf,
  unexpectedConstruct,
  unknownCall,
} from './wording.ts'

/** What a statement does to the blocks around it. */
export type Role = 'block' | 'if' | 'else' | 'end' | 'loop' | 'endLoop' | 'try' | 'exception' | 'function' | 'foreign' | 'brace'

/** What one statement is, and its first fault. */
export interface Statement {
  readonly role?: Role | undefined
  /** How messages name it, such as `if(...)`. */
  readonly label: string
  readonly fault?: LineFault | undefined
}

const blockRoles: ReadonlyMap<string, Role> = new Map([
  ['if', 'if'],
  ['else', 'else'],
  ['end', 'end'],
  ['startLoop', 'loop'],
  ['endLoop', 'endLoop'],
  ['try', 'try'],
  ['exception', 'exception'],
])

/** Reads what a statement is from its tokens. */
export function readStatement(whole: Line, { tokens, stop }: TokenRun, vocabulary: Vocabulary): Statement {
  const { text: line } = whole
  const [first, ...rest] = tokens
  const label = abbreviate(line, tokens.slice(0, pathLength(tokens) + 1))
  if (first === undefined) return { label }
  if (first.kind === 'hash') return { label, fault: hashFault(line, first) }
  if (first.kind !== 'name') return { label, role: opensBlock(line, tokens) ? 'foreign' : undefined, fault: construct('AVAP statement') }
  const callee = pathLength(tokens)
  const operator = tokens[callee]
  if (operator?.kind === 'operator') {
    if (operator.text === '=') return assignment()
    if (operator.text === ':=' || isAugmented(operator.text)) {
      const message = `unexpected operator '${operator.text}' — expected '='`
      return { label, fault: { start: operator.start, end: operator.end, message, suggestion: '=' } }
    }
  }
  if (first.text === 'function') return header()
  if (first.text === 'return') return { label, fault: rest.length > 0 ? expression(rest) : undefined }
  if (tokens[callee]?.text === '(') return callee > 1 ? method() : call(first, tokens[1] as Token, tokens.slice(2), false)
  return foreignWord(first)

  function construct(required: string, suggestion?: string): LineFault {
    return unexpectedConstruct(line, tokens, required, suggestion)
  }

  /** The first fault of an expression, with what is nested in it. */
  function expression(part: readonly Token[]): LineFault | undefined {
    return nested(part) ?? expressionFault(line, part)
  }

  function nested(part: readonly Token[]): LineFault | undefined {
    const hash = part.findIndex(({ kind }) => kind === 'hash')
    const read = hash < 0 ? part : part.slice(0, hash)
    return read.length === 0 ? undefined : nestedFault(whole, spanOf(read), vocabulary, true)
  }

  function reserved({ text, start, end }: Token): LineFault | undefined {
    return vocabulary.isReserved(text) ? { start, end, message: `${quoted(text)} is reserved — expected another name` } : undefined
  }

  function assignment(): Statement {
    const keyword = first && (reserved(first) ?? nested([first]))
    if (keyword !== undefined) return { label, fault: keyword }
    const right = tokens.slice(callee + 1)
    const [name, group, ...after] = right
    if (tokens[1]?.text === '.' && vocabulary.isForeignRoot(first?.text ?? '')) return { label, fault: construct('AVAP statement') }
    if (callee === 1) vocabulary.assigned.add(first?.text ?? '')
    if (name === undefined || name.kind === 'hash')
      return {
        label,
        fault: {
          ...spanOf(tokens.slice(0, callee + 1)),
          message: `${quoted(abbreviate(line, tokens.slice(0, callee + 1)))} has no value — expected expression`,
        },
      }
    if (name.kind === 'name' && group?.text === '(' && after.length === 0 && !vocabulary.functions.has(name.text)) {
      const { role, fault } = call(name, group, [], true)
      if (role === undefined || role === 'exception' || fault !== undefined)
        return { label, fault, role: role === 'exception' ? role : undefined }
      return { label, fault: construct('AVAP statement') }
    }
    return { label, fault: expression(right) }
  }

  function header(): Statement {
    const isComplete = stop === '{' && rest.length === 2 && rest[0]?.kind === 'name'
    // Parameters may have the names of foreign objects.
    if (isComplete) vocabulary.noteWords(line.slice(rest[1]?.start, rest[1]?.end))
    if (isComplete)
      return { label: abbreviate(line, tokens), role: 'function', fault: reserved(rest[0] as Token) ?? parameters(rest[1] as Token) }
    const opens = stop === '{' ? 'function' : opensBlock(line, tokens) ? 'foreign' : undefined
    return { label, role: opens, fault: construct("'function name(a, b) {'", 'function name(a, b) {') }
  }

  function parameters({ start, end, parts }: Token): LineFault | undefined {
    if (parts === 0) return undefined
    let at = start + 1
    for (const written of line.slice(at, end - 1).split(',')) {
      const name = written.trim()
      if (
        name === '' ||
        isDigit(name.charAt(0)) ||
        endOf(name, 0, isNamePart) < name.length ||
        /^\$+\d*$/.test(name) ||
        vocabulary.isReserved(name)
      )
        return { start: at, end: at + written.length, message: `unexpected parameter ${quoted(name)} — expected one name` }
      at += written.length + 1
    }
    return undefined
  }

  function method(): Statement {
    const foreign = nested(tokens)
    if (foreign !== undefined) return { label, fault: foreign, role: opensBlock(line, tokens) ? 'foreign' : undefined }
    let at = callee
    while (tokens[at]?.text === '(' || tokens[at]?.text === '[' || (tokens[at]?.text === '.' && tokens[at + 1]?.kind === 'name')) {
      const { flaw } = tokens[at] as Token
      if (flaw !== undefined) return { label, fault: flawFault(line, flaw) }
      at += tokens[at]?.text === '.' ? 2 : 1
    }
    return { label, fault: textAfter(tokens.slice(at)) }
  }

  function call(name: Token, group: Token, after: readonly Token[], isAssigned: boolean): Statement {
    const { text } = name
    const command = vocabulary.functions.has(text) ? undefined : vocabulary.commands.get(text)
    if (command !== undefined) {
      const role = roleOf(text)
      const isForeign = role === 'if' && after[0] !== undefined && after[0].kind !== 'hash'
      if (isForeign && group.flaw === undefined)
        return { label, role, fault: construct('AVAP condition syntax', 'if(left, right, operator)') }
      const fault =
        flawOf(group) ??
        textAfter(after) ??
        arity(name, group, command, isAssigned) ??
        nestedFault(whole, { start: group.start + 1, end: group.end }, vocabulary, false)
      if (fault === undefined) vocabulary.noteWords(line.slice(group.start, group.end))
      return { label, role, fault }
    }
    if (vocabulary.functions.has(text) || vocabulary.builtins.has(text))
      return { label, fault: flawOf(group) ?? textAfter(after) ?? nested([name, group]) }
    const alias = vocabulary.aliases.get(text)
    if (alias === undefined && vocabulary.construct(text) !== undefined) return foreignWord(name)
    const meant = alias?.command ?? closest(text, vocabulary.names())
    const role = meant === undefined || isAssigned ? undefined : roleOf(meant)
    const opens = role ?? (opensBlock(line, tokens) ? 'foreign' : undefined)
    return {
      label,
      role: opens,
      fault: { start: name.start, end: name.end, ...unknownCall(text, alias ?? { command: meant }) },
    }
  }

  function flawOf({ flaw }: Token): LineFault | undefined {
    return flaw && flawFault(line, flaw)
  }

  function arity(name: Token, { parts, end }: Token, command: AvapCommand, isAssigned: boolean): LineFault | undefined {
    const expected: Arity = (isAssigned ? command.assigned : undefined) ?? command.arguments
    return arityFault({ start: name.start, end }, name.text, expected, parts)
  }

  function textAfter(after: readonly Token[]): LineFault | undefined {
    const [next] = after
    if (next === undefined) return undefined
    if (next.kind === 'hash') return hashFault(line, next)
    return {
      ...spanOf(after),
      message: `unexpected text ${quoted(line.slice(next.start, after.at(-1)?.end))} after ')' — expected end of line`,
    }
  }

  /** A command without parentheses, a construct of another language, or prose. */
  function foreignWord({ text }: Token): Statement {
    const command = [text, text.toLowerCase()].find((word) => vocabulary.commands.has(word))
    const isForeignIf = command === 'if'
    if (isForeignIf) return { label, role: 'if', fault: construct('AVAP condition syntax', 'if(left, right, operator)') }
    const found = vocabulary.construct(text)
    const opens = found?.opens === true || opensBlock(line, tokens)
    if (command !== undefined && (tokens[1]?.kind !== 'name' || tokens.length === 2)) {
      const required = vocabulary.commands.get(command)?.arguments === 0 ? `${command}()` : `${command}(...)`
      return { label, role: roleOf(command) ?? (opens ? 'foreign' : undefined), fault: construct(`'${required}'`, required) }
    }
    const role = text === 'catch' || text === 'except' ? 'exception' : opens ? 'foreign' : undefined
    return { label, role, fault: construct(found?.required ?? 'AVAP statement', found?.suggestion) }
  }

  function roleOf(command: string): Role | undefined {
    return blockRoles.get(command) ?? (vocabulary.commands.get(command)?.block ? 'block' : undefined)
  }
}

/** How many tokens a name has with its members, such as `users[0].name`. */
function pathLength(tokens: readonly Token[]): number {
  let at = 1
  for (;;) {
    if (tokens[at]?.text === '.' && tokens[at + 1]?.kind === 'name') at += 2
    else if (tokens[at]?.text === '[' && tokens[at]?.flaw === undefined) at++
    else return at
  }
}

function isAugmented(operator: string): boolean {
  return operator.length > 1 && operator.endsWith('=') && !/^[=!<>]/.test(operator)
}

/** Whether a line of another language opens a block there: a brace that is not closed, or a colon. */
function opensBlock(line: string, tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  return last !== undefined && (last.text === ':' || (last.text === '{' && line.charAt(last.end - 1) !== '}'))
}
