import { type SyntaxFault, yamlDepth } from '@stickler/core/syntax'
import { Composer, type CST, Parser } from 'yaml'
import { faultAt } from '../fault-at.ts'
import { tooDeep } from '../too-deep.ts'
import { describe } from './describe.ts'
import { directiveFaults, type YamlFault } from './directives.ts'

/** A model acts on the first faults. */
const mostFaults = 20
/** One fault may be several errors. */
const mostErrors = 100
/** Deeper documents could end the process: what builds their values is recursive. */
const deepest = 200

/** Finds the faults of a YAML stream; tags, aliases and duplicate keys are not a matter of syntax. */
export function parseYaml(source: string): readonly SyntaxFault[] {
  // The parser knows no CR line breaks; one character for one keeps its offsets.
  const text = source.replace(/\r(?!\n)/g, '\n')
  const tokens = [...new Parser().parse(text)]
  if (yamlDepth(tokens) > deepest) throw tooDeep()
  const lines = new Set<number>()
  return [...directiveFaults(tokens), ...compose(tokens, text)]
    .slice(0, mostErrors)
    .map((fault) => {
      const { message, suggestion } = describe(fault, text)
      return faultAt(source, fault.start, fault.end, message, suggestion)
    })
    .filter(({ line }) => lines.size < mostFaults && !lines.has(line) && lines.add(line))
    .sort((one, other) => one.line - other.line)
}

function compose(tokens: readonly CST.Token[], text: string): readonly YamlFault[] {
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' })
  return [...composer.compose(tokens, false, text.length)].flatMap(({ errors }) =>
    errors.map(({ pos: [start, end], code, message }) => ({ start, end, code, message })),
  )
}
