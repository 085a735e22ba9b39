import { isFields, sumUsage } from '@stickler/core/internal'

/** The usage of all calls, in the shape that the version of the model has; of what the provider itself reports, the last counts. */
export function totalUsage(usages: readonly unknown[]): unknown {
  const told = usages.filter(isFields)
  const last = told.at(-1)
  // The fields of that report are any, and their sum may mean nothing.
  return last === undefined ? unknownUsage : { ...sumUsage(told), ...('raw' in last && { raw: last.raw }) }
}

/** The usage of calls that reported none. */
const unknownUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** The tokens of a call as the engine counts them; undefined when nothing is reported. */
export function tokensOf(usage: unknown): { readonly promptTokens: number; readonly completionTokens: number } | undefined {
  if (!isFields(usage)) return undefined
  const [prompt, completion] = [totalOf(usage.inputTokens), totalOf(usage.outputTokens)]
  return prompt === undefined && completion === undefined ? undefined : { promptTokens: prompt ?? 0, completionTokens: completion ?? 0 }
}

function totalOf(tokens: unknown): number | undefined {
  const total = isFields(tokens) ? tokens.total : tokens
  return typeof total === 'number' ? total : undefined
}
