import { isFields } from '@stickler/core/internal'

/** Adds the usage of two calls, in the shape that the version of the model has; what neither reports stays undefined. */
export function addUsage(before: unknown, next: unknown): unknown {
  if (typeof before === 'number' && typeof next === 'number') return before + next
  if (!isFields(before) || !isFields(next)) return next ?? before
  const names = new Set([...Object.keys(before), ...Object.keys(next)])
  // The provider's own report has any fields, whose sum may mean nothing.
  return Object.fromEntries([...names].map((name) => [name, name === 'raw' ? next.raw : addUsage(before[name], next[name])]))
}

/** The usage of a call that reported none. */
export const unknownUsage = {
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
