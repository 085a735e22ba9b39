import type { SchemaNode } from './document.ts'
import { Evaluated } from './evaluated.ts'
import { isArray, isObject, own } from './json-value.ts'
import { meant } from './meant.ts'
import { type Building, childOf, namedSchemas } from './object-checks.ts'
import { apart, type Check, type Evaluate, type Finding, type Frame, fail, quietly } from './run.ts'
import { isSchema } from './subschemas.ts'

/** The checks of the keywords that apply other schemas to the same value. */
export function combinatorChecksOf(building: Building): Check[] {
  const { evaluate } = building
  const checks: Check[] = []
  const all = listedSchemas(building, 'allOf')
  if (all.length > 0) checks.push((value, frame) => everyOf(evaluate, all, value, frame))
  const any = listedSchemas(building, 'anyOf')
  if (any.length > 0) checks.push((value, frame) => anyOf(evaluate, any, value, frame))
  const one = listedSchemas(building, 'oneOf')
  if (one.length > 0) checks.push((value, frame) => oneOf(evaluate, one, value, frame))
  const not = childOf(building, 'not')
  if (not) checks.push((value, frame) => !evaluate(not, value, apart(frame)) || fail(frame, 'not', {}, value))
  const condition = childOf(building, 'if')
  const branches = [childOf(building, 'then'), childOf(building, 'else')] as const
  if (condition) {
    checks.push((value, frame) => {
      const branch = apply(evaluate, condition, value, quietly(frame)) ? branches[0] : branches[1]
      return branch === undefined || apply(evaluate, branch, value, frame)
    })
  }
  const dependent = [...namedSchemas(building, 'dependentSchemas'), ...namedSchemas(building, 'dependencies')]
  if (dependent.length > 0) {
    checks.push((value, frame) => {
      if (!isObject(value)) return true
      const applying = dependent.filter(([key]) => Object.hasOwn(value, key)).map(([, node]) => node)
      return everyOf(evaluate, applying, value, frame)
    })
  }
  return checks
}

/** Applies a schema to the same value; what it has looked at counts only when it holds. */
export function apply(evaluate: Evaluate, node: SchemaNode, value: unknown, frame: Frame): boolean {
  if (!frame.evaluated) return evaluate(node, value, frame)
  const evaluated = new Evaluated()
  const valid = evaluate(node, value, { ...frame, evaluated })
  if (valid) frame.evaluated.merge(evaluated)
  return valid
}

function everyOf(evaluate: Evaluate, nodes: readonly SchemaNode[], value: unknown, frame: Frame): boolean {
  let valid = true
  for (const node of nodes) {
    if (apply(evaluate, node, value, frame)) continue
    valid = false
    if (!frame.findings) return false
  }
  return valid
}

function anyOf(evaluate: Evaluate, nodes: readonly SchemaNode[], value: unknown, frame: Frame): boolean {
  let valid = false
  for (const node of nodes) {
    if (apply(evaluate, node, value, quietly(frame))) valid = true
    if (valid && !frame.evaluated) return true
  }
  return valid || explain(evaluate, nodes, value, frame, 'anyOf')
}

function oneOf(evaluate: Evaluate, nodes: readonly SchemaNode[], value: unknown, frame: Frame): boolean {
  const passing: number[] = []
  for (const [index, node] of nodes.entries()) {
    if (apply(evaluate, node, value, quietly(frame))) passing.push(index)
  }
  if (passing.length === 0) return explain(evaluate, nodes, value, frame, 'oneOf')
  return passing.length === 1 || fail(frame, 'oneOf', { passingSchemas: passing }, value)
}

/** Tells what is wrong with the alternative that was meant. */
function explain(evaluate: Evaluate, nodes: readonly SchemaNode[], value: unknown, frame: Frame, keyword: string): false {
  if (!frame.findings || frame.findings.length >= frame.run.limit) return false
  const alternatives = nodes.map((node) => {
    const findings: Finding[] = []
    evaluate(node, value, { ...apart(frame), findings })
    return findings
  })
  const found = meant(alternatives, frame.place)
  if (found.length === 0) return fail(frame, keyword, {}, value)
  frame.findings.push(...found.slice(0, frame.run.limit - frame.findings.length))
  return false
}

function listedSchemas({ schema, child }: Building, keyword: string): SchemaNode[] {
  const list = own(schema, keyword)
  return (isArray(list) ? list : []).flatMap((inner) => (isSchema(inner) ? [child(inner)] : []))
}
