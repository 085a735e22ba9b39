import type { SyntaxFault } from '@stickler/core/validators'
import { blockFaults } from './blocks.ts'
import type { Arity } from './catalogue.ts'
import type { Mark } from './frames.ts'
import { readStatement, type Statement } from './statement.ts'
import { lineOf, readTokens, skipSpace, type TokenRun } from './tokens.ts'
import type { Vocabulary, VocabularyOf } from './vocabulary.ts'
import { type LineFault, quoted, spanOf } from './wording.ts'

/** Nobody corrects more at a time, and each costs a search for what was meant. */
const mostFaults = 1000

/** Finds all faults of an AVAP program, in the order of its lines. */
export function parseAvap(source: string, vocabularyOf: VocabularyOf): readonly SyntaxFault[] {
  const lines = source.split(/\r\n|\n|\r/)
  const reader = new ProgramReader(vocabularyOf(functionsOf(lines)))
  for (const [index, line] of lines.entries()) {
    reader.read(line, index + 1)
    // What follows is unknown, so nothing can be said of the blocks either.
    if (reader.faults.length >= mostFaults) return reader.faults
  }
  reader.finish()
  return reader.faults.sort((a, b) => a.line - b.line || a.column - b.column).slice(0, mostFaults)
}

/** Functions, which may be called before their definition, and how many parameters they have. */
function functionsOf(lines: readonly string[]): ReadonlyMap<string, Arity> {
  const functions = new Map<string, [least: number, most: number]>()
  for (const line of lines) {
    const start = skipSpace(line, 0)
    if (!line.startsWith('function', start)) continue
    const [word, name, group] = readTokens(lineOf(line), start).tokens
    if (word?.text !== 'function' || name?.kind !== 'name' || group?.text !== '(') continue
    // A name that is defined more than once has either number.
    const [least, most] = functions.get(name.text) ?? [group.parts, group.parts]
    functions.set(name.text, [Math.min(least, group.parts), Math.max(most, group.parts)])
  }
  return functions
}

class ProgramReader {
  readonly faults: SyntaxFault[] = []
  readonly #marks: Mark[] = []
  readonly #vocabulary: Vocabulary
  /** Where an unfinished comment started. */
  #comment: { readonly line: number; readonly start: number } | undefined

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  read(text: string, line: number): void {
    let at = line === 1 && text.startsWith('\ufeff') ? 1 : 0
    if (this.#comment !== undefined) {
      const close = text.indexOf('*/')
      if (close < 0) return
      this.#comment = undefined
      at = close + 2
    }
    const indent = skipSpace(text, at) - at
    const whole = lineOf(text)
    /** Functions whose body shares the line, and statements beside each other outside of them. */
    let bodies = 0
    let statements = 0
    while (at < text.length) {
      const run = readTokens(whole, at)
      if (run.stop === '/*') this.#comment = { line, start: run.end }
      at = run.stop === '/*' ? text.length : run.end
      if (run.tokens.length > 0) {
        if (bodies === 0 && ++statements > 1) {
          if (this.faults.at(-1)?.line !== line) this.#fault(line, secondStatement(text, run))
          return
        }
        this.#add(readStatement(whole, run, this.#vocabulary), { line, indent, ...spanOf(run.tokens) })
      }
      if (run.stop === '{') bodies++
      if (run.stop !== '}') continue
      if (statements === 0 && bodies === 0) {
        const next = readTokens(whole, at)
        const statement = readStatement(whole, next, this.#vocabulary)
        if (next.tokens[0]?.kind === 'name' && statement.fault !== undefined) {
          this.#add(statement, { line, indent, start: at - 1, end: next.end })
          return
        }
      }
      this.#add({ role: 'brace', label: '}' }, { line, indent, start: at - 1, end: at })
      bodies = Math.max(0, bodies - 1)
      statements++
    }
  }

  finish(): void {
    if (this.#comment !== undefined) {
      const { line, start } = this.#comment
      this.#fault(line, { start, end: start + 2, message: "'/*' not closed — expected '*/'", suggestion: '*/' })
    }
    for (const { mark, message, suggestion } of blockFaults(this.#marks, mostFaults))
      this.#fault(mark.line, { start: mark.start, end: mark.end, message, ...(suggestion === undefined ? {} : { suggestion }) })
  }

  #add(
    { role, label, fault }: Statement,
    { line, indent, start, end }: { line: number; indent: number; start: number; end: number },
  ): void {
    if (fault !== undefined) this.#fault(line, fault)
    if (role !== undefined) this.#marks.push({ role, label, line, indent, start, end, isFaulty: fault !== undefined })
  }

  #fault(line: number, { start, end, message, suggestion }: LineFault): void {
    const place = { line, column: start + 1, endLine: line, endColumn: Math.max(end, start + 1) + 1 }
    this.faults.push({ ...place, message, ...(suggestion === undefined ? {} : { suggestion }) })
  }
}

function secondStatement(text: string, { tokens }: TokenRun): LineFault {
  const { start, end } = spanOf(tokens)
  return { start, end, message: `unexpected text ${quoted(text.slice(start, end))} — expected one statement per line` }
}
