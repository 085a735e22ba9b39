import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { Api, FinalReply } from '../../apis/shared/api.ts'
import { sumUsage } from '../../apis/shared/usage.ts'
import { reportedUsage } from '../attempts/choice-usage.ts'
import { count } from '../calls/call-usage.ts'
import type { UpstreamCall } from '../calls/upstream-call.ts'
import type { Mutable } from '../mutable.ts'
import type { RelayedChoice } from '../relayed-request.ts'

/**
 * The total usage of all attempts of all choices, also in the provider's own format; undefined
 * where no provider reported any.
 */
export function summedUsage(choices: readonly RelayedChoice[]): Pick<FinalReply, 'usage' | 'rawUsage'> {
  const heads = callsOf(choices).map((call) => call.head())
  if (heads.every(({ usage, rawUsage }) => usage === undefined && rawUsage === undefined)) return {}
  const summed: Mutable<Pick<FinalReply, 'usage' | 'rawUsage'>> = { usage: sumOf(choices) }
  const told = heads.flatMap(({ rawUsage }) => (rawUsage === undefined ? [] : [rawUsage]))
  if (told.length > 0) summed.rawUsage = heads.length === 1 ? sumUsage(told) : { ...sumUsage(told), ...sums(summed.usage, heads) }
  return summed
}

/**
 * The total usage of several calls, in the format of the answering provider; undefined for a single
 * call, whose own usage holds.
 */
export function nativeUsage(choices: readonly RelayedChoice[], api: Api): Fields | undefined {
  const calls = callsOf(choices)
  if (calls.length < 2) return undefined
  const wire = choices[0]?.answering?.call.relay?.()?.wire
  const told: Fields[] = []
  for (const call of calls) {
    const head = call.head()
    const { nativeUsage: own, rawUsage } = head
    // A call in another format counts too, converted.
    const usage = call.relay?.()?.wire === wire ? (own ?? rawUsage) : rawUsage && api.usage?.(head)
    if (usage) told.push(usage)
  }
  return wire === undefined || told.length === 0 ? undefined : sumUsage(told)
}

/** The calls of all choices, which share their first one. */
function callsOf(choices: readonly RelayedChoice[]): readonly UpstreamCall[] {
  const [first, ...others] = choices
  const only = others.length === 0 && first?.before.length === 0 && first.attempts.length === 1 ? first.attempts[0] : undefined
  if (only !== undefined) return [only.call]
  return [...new Set(choices.flatMap(({ before, attempts }) => [...before, ...attempts].map(({ call }) => call)))]
}

function sumOf(choices: readonly RelayedChoice[]): NonNullable<FinalReply['usage']> {
  let promptTokens = 0
  let completionTokens = 0
  let cost: number | undefined
  choices.forEach((choice) => {
    const one = reportedUsage(choice)
    promptTokens += one.promptTokens
    completionTokens += one.completionTokens
    if (one.cost !== undefined) cost = (cost ?? 0) + one.cost
  })
  return cost === undefined ? { promptTokens, completionTokens } : { promptTokens, completionTokens, cost }
}

function sums(usage: FinalReply['usage'], heads: readonly { readonly rawUsage?: Fields }[]): Fields {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {}
  // Some providers count tokens, such as those of reasoning, in the total only.
  const further = heads.reduce((sum, { rawUsage }) => sum + furtherTokens(rawUsage), 0)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens + further,
  }
}

function furtherTokens(raw: Fields = {}): number {
  const total = count(raw.total_tokens)
  return total === undefined ? 0 : Math.max(0, total - (count(raw.prompt_tokens) ?? 0) - (count(raw.completion_tokens) ?? 0))
}
