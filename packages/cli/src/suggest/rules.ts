import { Answer, buildContract, type ContractInput, check } from '@stickler/core'
import { languageCodes, linkHosts, parseJson } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import { roundUp, schemaOf } from './schema.ts'
import { emptyShape, observe } from './shape.ts'

type CheckInput = NonNullable<ContractInput['checks']>[number]

/** A rule that most answers keep, and how many of them do not. */
export interface SuggestedRule {
  readonly check: CheckInput
  /** Where it comes from, in a few words. */
  readonly why: string
  readonly rejected: number
}

/** A rule is suggested when it rejects at most this share of the answers that it is made from. */
export const mostRejected = 0.05

/** Proposes rules for answers, and counts what each of them rejects. */
export async function suggestRules(texts: readonly string[], signal: AbortSignal): Promise<readonly SuggestedRule[]> {
  const candidates = jsonRule(texts) ?? [
    lengthRule(texts),
    headingRule(texts),
    await languageRule(texts),
    linkRule(texts),
    await citationRule(texts),
  ]
  const rules: SuggestedRule[] = []
  for (const candidate of candidates) {
    signal.throwIfAborted()
    if (candidate === undefined) continue
    const rejected = await countRejected([candidate.check], texts)
    if (rejected <= texts.length * mostRejected) rules.push({ ...candidate, rejected })
  }
  return rules
}

/** How many answers break one of the checks, or could not be checked. */
export async function countRejected(checks: readonly CheckInput[], texts: readonly string[]): Promise<number> {
  const rules = buildContract({ checks: [...checks], repair: 'never' }, catalogue)
  let rejected = 0
  for (const text of texts) {
    const { issues, unchecked } = await check(rules, text)
    if (unchecked.length > 0 || issues.some(({ severity }) => severity === 'error')) rejected++
  }
  return rejected
}

type Candidate = Omit<SuggestedRule, 'rejected'>

/** A schema where nearly all answers are JSON; other rules would be about its syntax then. */
function jsonRule(texts: readonly string[]): readonly Candidate[] | undefined {
  const shape = emptyShape()
  let parsed = 0
  for (const text of texts) {
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null) continue
    parsed++
    observe(shape, value)
  }
  if (parsed < texts.length * (1 - mostRejected)) return undefined
  return [{ check: { json: { schema: schemaOf(shape) } }, why: `${parsed} of ${texts.length} answers are JSON` }]
}

/** Words from the first to the last percent of the answers, rounded away from them. */
function lengthRule(texts: readonly string[]): Candidate {
  const words = texts.map((text) => new Answer(text).words).sort((a, b) => a - b)
  const at = (share: number): number => words[Math.min(words.length - 1, Math.floor(words.length * share))] ?? 0
  const [low, high] = [at(0.01), at(0.99)]
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, low))) - 1)
  const min = Math.floor(low / step) * step
  return {
    check: { length: { words: { ...(min > 0 ? { min } : {}), max: roundUp(high), split: 'spaces' } } },
    why: `answers have ${words[0]} to ${words.at(-1)} words`,
  }
}

/** Headings that nearly all answers have. */
function headingRule(texts: readonly string[]): Candidate | undefined {
  const counts = new Map<string, { shown: string; count: number }>()
  for (const text of texts)
    for (const heading of new Set(new Answer(text).headings.map((one) => one.text.trim()))) {
      const key = heading.toLowerCase()
      const known = counts.get(key)
      if (known !== undefined) known.count++
      else if (counts.size < 10_000) counts.set(key, { shown: heading, count: 1 })
    }
  const least = texts.length * (1 - mostRejected)
  const common = [...counts.values()].filter(({ shown, count }) => count >= least && shown !== '' && shown.length <= 80)
  if (common.length === 0) return undefined
  return {
    check: { markdown: { headings: { required: common.map(({ shown }) => shown), ordered: false } } },
    why: `at least ${Math.ceil(least)} answers have each of these headings`,
  }
}

/** So many answers tell the language. */
const languageSample = 40
/** So many of them rule out most languages. */
const firstSample = 4

/** The one language that nearly all answers pass for. */
async function languageRule(texts: readonly string[]): Promise<Candidate | undefined> {
  const some = texts.filter((text) => new Answer(text).words >= 8).slice(0, languageSample)
  if (some.length < 3) return undefined
  const count = async (code: string, of: readonly string[]): Promise<number> => of.length - (await countRejected([languageIs(code)], of))
  const passed: { readonly code: string; readonly count: number }[] = []
  for (const code of languageCodes)
    if ((await count(code, some.slice(0, firstSample))) > 0) passed.push({ code, count: await count(code, some) })
  const [first, second] = passed.sort((a, b) => b.count - a.count)
  // Text that passes for two languages is in none that is known.
  if (first === undefined || first.count < some.length * (1 - mostRejected) || (second?.count ?? 0) > some.length / 2) return undefined
  return { check: languageIs(first.code), why: `${first.count} of ${some.length} answers that were read are in it` }
}

function languageIs(code: string): CheckInput {
  return { language: { is: code } }
}

const mostHosts = 20

/** Hosts of links, where there are few of them and each is used by more than one answer. */
function linkRule(texts: readonly string[]): Candidate | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) for (const host of linkHosts(new Answer(text))) counts.set(host, (counts.get(host) ?? 0) + 1)
  // An address in brackets is not a host that the check takes.
  const hosts = [...counts].filter(([host, count]) => count > 1 && !host.startsWith('[')).map(([host]) => host)
  if (hosts.length === 0 || hosts.length > mostHosts) return undefined
  return { check: { links: { hosts: hosts.sort() } }, why: `links lead to ${counts.size} hosts; those of a single answer are left out` }
}

const citationStyles = ['caret', 'bracket', 'lenticular']
/** How many sources there may be; the first that is enough is suggested. */
const sourceCounts = [10, 20, 50, 100]

/** The style in which answers cite, if nearly all of them do. */
async function citationRule(texts: readonly string[]): Promise<Candidate | undefined> {
  for (const styles of citationStyles.map((style) => [style]))
    for (const sources of sourceCounts) {
      const check = { citations: { styles, requireCitations: true, sources } }
      const citing = texts.length - (await countRejected([check], texts))
      if (citing >= texts.length * (1 - mostRejected)) return { check, why: `${citing} answers cite sources in this way` }
      // Without any citation more sources make no difference.
      if (citing === 0) break
    }
  return undefined
}
