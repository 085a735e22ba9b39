import { canonical, isArray, isObject, own } from '../../json/json-value.ts'
import type { Place } from '../problem.ts'
import { isSchema } from '../read/subschemas.ts'
import { Evaluated } from './evaluated.ts'
import { type Building, childOf, namedSchemas } from './object-checks.ts'
import { apart, apply, type Check, type Finding, type Frame, fail, quietly, report } from './run.ts'

/** The checks of the keywords that apply other schemas to the same value. */
export function combinatorChecksOf(building: Building): Check[] {
  const checks: Check[] = []
  const all = listedSchemas(building, 'allOf')
  if (all.length > 0) checks.push((value, frame) => everyOf(all, value, frame))
  const any = listedSchemas(building, 'anyOf')
  if (any.length > 0) checks.push((value, frame) => anyOf(any, value, frame))
  const one = listedSchemas(building, 'oneOf')
  if (one.length > 0) checks.push((value, frame) => oneOf(one, value, frame))
  const not = childOf(building, 'not')
  if (not) checks.push((value, frame) => !not(value, apart(frame)) || fail(frame, 'not', {}, value))
  const condition = childOf(building, 'if')
  const branches = [childOf(building, 'then'), childOf(building, 'else')] as const
  if (condition) {
    checks.push((value, frame) => {
      const branch = apply(condition, value, quietly(frame)) ? branches[0] : branches[1]
      return branch === undefined || apply(branch, value, frame)
    })
  }
  const dependent = [...namedSchemas(building, 'dependentSchemas'), ...namedSchemas(building, 'dependencies')]
  if (dependent.length > 0) {
    checks.push((value, frame) => {
      if (!isObject(value)) return true
      frame.run.charge(dependent.length >> 1)
      const applying = dependent.filter(([key]) => Object.hasOwn(value, key)).map(([, check]) => check)
      return everyOf(applying, value, frame)
    })
  }
  return checks
}

function everyOf(checks: readonly Check[], value: unknown, frame: Frame): boolean {
  let valid = true
  for (const check of checks) {
    if (apply(check, value, frame)) continue
    valid = false
    if (!frame.findings) return false
  }
  return valid
}

function anyOf(checks: readonly Check[], value: unknown, frame: Frame): boolean {
  if (frame.findings) {
    const { passing, alternatives } = tryAll(checks, value, frame)
    return passing.length > 0 ? remark(passing, alternatives, frame) : explain(alternatives, value, frame, 'anyOf')
  }
  let valid = false
  for (const check of checks) {
    if (apply(check, value, frame)) valid = true
    if (valid && !frame.evaluated) return true
  }
  return valid
}

function oneOf(checks: readonly Check[], value: unknown, frame: Frame): boolean {
  if (frame.findings) {
    const { passing, alternatives } = tryAll(checks, value, frame)
    if (passing.length === 0) return explain(alternatives, value, frame, 'oneOf')
    return passing.length === 1 ? remark(passing, alternatives, frame) : fail(frame, 'oneOf', { passingSchemas: passing }, value)
  }
  let passing = 0
  for (const check of checks) {
    if (apply(check, value, frame) && ++passing > 1) return false
  }
  return passing === 1
}

/** Which alternatives hold, and what each of the others finds wrong: in one go, since nested alternatives would multiply a second. */
function tryAll(checks: readonly Check[], value: unknown, frame: Frame): { passing: number[]; alternatives: Finding[][] } {
  const passing: number[] = []
  const alternatives = checks.map((check, index) => {
    const findings: Finding[] = []
    const evaluated = frame.evaluated && new Evaluated()
    if (check(value, { ...frame, findings, evaluated })) {
      passing.push(index)
      if (evaluated) frame.run.charge(frame.evaluated?.merge(evaluated) ?? 0)
    }
    return findings
  })
  return { passing, alternatives }
}

/** Returns the remarks of the best alternative. */
function remark(passing: readonly number[], alternatives: readonly (readonly Finding[])[], frame: Frame): true {
  const remarks = passing.map((index) => alternatives[index] ?? [])
  report(
    frame,
    remarks.reduce((best, one) => (one.length < best.length ? one : best)),
  )
  return true
}

/** Returns what is wrong with the intended alternative. */
function explain(alternatives: readonly (readonly Finding[])[], value: unknown, frame: Frame, keyword: string): false {
  const found = meant(alternatives, frame.place)
  return found.length === 0 ? fail(frame, keyword, {}, value) : report(frame, found)
}

function listedSchemas({ schema, child }: Building, keyword: string): Check[] {
  const list = own(schema, keyword)
  return (isArray(list) ? list : []).flatMap((inner) => (isSchema(inner) ? [child(inner)] : []))
}

/** What to report about a value that matches none of several alternatives: all that they require of its type or value, or the faults of the likeliest one. */
function meant(alternatives: readonly (readonly Finding[])[], place: Place | undefined): readonly Finding[] {
  const here = alternatives.map((findings) => findings.filter((finding) => finding.place === place))
  const ofType = alternatives.filter((_, index) => !here[index]?.some(({ keyword }) => keyword === 'type'))
  if (ofType.length === 0) return merged(here, 'type', ({ params }) => (isArray(params.type) ? params.type : [params.type]))
  const values = ofType.map((findings) => findings.filter((finding) => finding.place === place && isChoice(finding)))
  if (values.every((findings) => findings.length > 0)) return merged(values, 'enum', choices)
  const scored = ofType.map((findings) => ({ findings, score: findings.filter(isChoice).length * 1000 + findings.length }))
  return scored.reduce((best, one) => (one.score < best.score ? one : best)).findings
}

function isChoice({ keyword }: Finding): boolean {
  // A wrong tag says that another alternative was meant.
  return keyword === 'const' || keyword === 'enum'
}

function choices({ params }: Finding): readonly unknown[] {
  return isArray(params.allowedValues) ? params.allowedValues : [params.allowedValue]
}

function merged(
  alternatives: readonly (readonly Finding[])[],
  keyword: string,
  wanted: (finding: Finding) => readonly unknown[],
): Finding[] {
  const findings = alternatives.flat().filter((finding) => finding.keyword === keyword || (keyword === 'enum' && isChoice(finding)))
  const [first] = findings
  const all = new Map(findings.flatMap(wanted).map((one) => [canonical(one, 16), one]))
  return first
    ? [{ ...first, keyword, params: keyword === 'type' ? { type: [...all.values()] } : { allowedValues: [...all.values()] } }]
    : []
}
