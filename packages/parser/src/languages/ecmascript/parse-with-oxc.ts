import type { SyntaxFault } from '@stickler/core/syntax'
import { type OxcError, parseSync } from 'oxc-parser'
import { faultAt } from '../fault-at.ts'

/** A model acts on the first faults. */
const mostFaults = 20

/** Finds the faults of JavaScript or TypeScript; code that is right as a module or as a script is right. */
export function parseWithOxc(filename: string, source: string): readonly SyntaxFault[] {
  const asModule = parse(filename, source, 'module')
  if (asModule.length === 0) return []
  const asScript = parse(filename, source, 'commonjs')
  if (asScript.length === 0) return []
  return asModule.slice(0, mostFaults).map(({ message, labels }) => {
    const { start, end } = labels[0] ?? { start: 0, end: source.length }
    return faultAt(source, start, end, message)
  })
}

function parse(filename: string, source: string, sourceType: 'module' | 'commonjs'): readonly OxcError[] {
  return parseSync(filename, source, { sourceType, showSemanticErrors: true }).errors
}
