import { createRequire } from 'node:module'
import type { Diagnostic } from '@astral-sh/ruff-wasm-nodejs'
import type { SourceParser } from '@stickler/core/validators'
import { tooDeep } from '../too-deep.ts'
import { toFaults } from './to-faults.ts'

/** The rules that are errors of Python's compiler; no other rule is on. */
const compilerRules = [
  'F404', // late `from __future__`
  'F406', // `import *` in a function
  'F407', // unknown feature of `__future__`
  'F621', // too many expressions in a starred assignment
  'F622', // two starred expressions in an assignment
  'F701', // `break` outside of a loop
  'F702', // `continue` outside of a loop
  'F704', // `yield` outside of a function
  'F706', // `return` outside of a function
  'F707', // bare `except` that is not the last
  'PLE0115', // `nonlocal` and `global` for one name
  'PLE0117', // `nonlocal` without a binding
  'PLE0118', // use before `global`
  'PLE1142', // `await` outside of an asynchronous function
]

/** Newer syntax is allowed; only lists of exceptions without parentheses are not, which all versions before 3.14 reject. */
const options = { 'target-version': 'py313', lint: { select: compilerRules } }
const isTooNew = ({ message }: Diagnostic): boolean =>
  /syntax was added in Python/.test(message) && !message.startsWith('Multiple exception types')

/** Parses Python with Ruff's parser. */
export function ruffParser(): SourceParser {
  // Loaded by require, so that a damaged instance can be replaced at once.
  const require = createRequire(import.meta.url)
  let check: ((source: string) => readonly Diagnostic[]) | undefined
  const start = () => {
    const ruff = require('@astral-sh/ruff-wasm-nodejs') as typeof import('@astral-sh/ruff-wasm-nodejs')
    const workspace = new ruff.Workspace(options, ruff.PositionEncoding.Utf16)
    return (source: string) => workspace.check(source) as readonly Diagnostic[]
  }
  const parse: SourceParser = (source) => {
    check ??= start()
    try {
      return toFaults(
        check(source).filter((one) => !isTooNew(one)),
        source,
      )
    } catch (error) {
      // Either leaves the stack of the instance as it is.
      check = undefined
      delete require.cache[require.resolve('@astral-sh/ruff-wasm-nodejs')]
      throw isStackOverflow(error) ? tooDeep() : error
    }
  }
  // Its first use takes far longer than the next ones.
  parse('x = 1\n')
  return parse
}

/** Of the engine's stack, or of the instance's own, which lies at the start of its memory. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.message.includes('memory access out of bounds'))
}
