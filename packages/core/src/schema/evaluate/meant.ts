import type { Place } from '../problem.ts'
import { canonical, isArray } from '../values/json-value.ts'
import type { Finding } from './run.ts'

/** What to report about a value that matches none of several alternatives: all that they require of its type or value, or the faults of the likeliest one. */
export function meant(alternatives: readonly (readonly Finding[])[], place: Place | undefined): readonly Finding[] {
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
