import type { SyntaxFault } from '@stickler/core/syntax'
import { parseAllDocuments } from 'yaml'
import { faultAt } from '../fault-at.ts'

/** A model acts on the first faults. */
const mostFaults = 20

/** Finds the faults of a YAML stream. */
export function parseYaml(source: string): readonly SyntaxFault[] {
  const documents = parseAllDocuments(source, { prettyErrors: false, uniqueKeys: false, logLevel: 'silent' })
  const errors = [...documents].flatMap((document) => document.errors)
  return errors.slice(0, mostFaults).map(({ pos: [start, end], message }) => faultAt(source, start, end, message))
}
