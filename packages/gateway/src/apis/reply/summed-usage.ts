import { type FinalReply, sumUsage } from '@stickler/core/wire'
import { toldUsageOf } from '../../enforcement/budgets/usage-of.ts'
import type { Choice } from '../../enforcement/choice.ts'
import type { Mutable } from '../../mutable.ts'
import type { ReplyHead } from '../../upstreams/upstream.ts'
import { count } from '../../upstreams/usage.ts'

type RawUsage = Readonly<Record<string, unknown>>

/**
 * The total usage of all attempts of all choices, also in the provider's own format; undefined
 * where no provider reported any.
 */
export function summedUsage(choices: readonly Choice[]): Pick<FinalReply, 'usage' | 'rawUsage'> {
  const heads = headsOf(choices)
  if (heads.every(({ usage, rawUsage }) => usage === undefined && rawUsage === undefined)) return {}
  const summed: Mutable<Pick<FinalReply, 'usage' | 'rawUsage'>> = { usage: sumOf(choices) }
  const told = heads.flatMap(({ rawUsage }) => (rawUsage === undefined ? [] : [rawUsage]))
  if (told.length > 0) summed.rawUsage = heads.length === 1 ? sumUsage(told) : { ...sumUsage(told), ...sums(summed.usage, heads) }
  return summed
}

function headsOf(choices: readonly Choice[]): readonly ReplyHead[] {
  const attempts = choices.length === 1 ? choices[0]?.attempts : undefined
  const only = attempts?.length === 1 && choices[0]?.before.length === 0 ? attempts[0] : undefined
  if (only !== undefined) return [only.call.head()]
  // Choices share their first call.
  const calls = new Set(choices.flatMap(({ before, attempts }) => [...before, ...attempts].map(({ call }) => call)))
  return [...calls].map((call) => call.head())
}

function sumOf(choices: readonly Choice[]): NonNullable<FinalReply['usage']> {
  let promptTokens = 0
  let completionTokens = 0
  let cost: number | undefined
  choices.forEach((choice) => {
    const one = toldUsageOf(choice)
    promptTokens += one.promptTokens
    completionTokens += one.completionTokens
    if (one.cost !== undefined) cost = (cost ?? 0) + one.cost
  })
  return cost === undefined ? { promptTokens, completionTokens } : { promptTokens, completionTokens, cost }
}

function sums(usage: FinalReply['usage'], heads: readonly { readonly rawUsage?: RawUsage }[]): RawUsage {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {}
  // Some providers count tokens, such as those of reasoning, in the total only.
  const further = heads.reduce((sum, { rawUsage }) => sum + furtherTokens(rawUsage), 0)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens + further,
  }
}

function furtherTokens(raw: RawUsage = {}): number {
  const total = count(raw.total_tokens)
  return total === undefined ? 0 : Math.max(0, total - (count(raw.prompt_tokens) ?? 0) - (count(raw.completion_tokens) ?? 0))
}
