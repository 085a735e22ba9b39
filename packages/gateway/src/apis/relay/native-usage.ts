import type { Fields } from '@stickler/core/runners'
import { type Api, sumUsage } from '@stickler/core/wire'
import type { Choice } from '../../enforcement/choice.ts'

/**
 * The total usage of several calls, in the format of the answering provider; undefined for a single
 * call, whose own usage holds.
 */
export function nativeUsage(choices: readonly Choice[], api: Api): Fields | undefined {
  const [first] = choices
  if (choices.length === 1 && first !== undefined && first.before.length + first.attempts.length < 2) return undefined
  const calls = new Set(choices.flatMap(({ before, attempts }) => [...before, ...attempts].map(({ call }) => call)))
  if (calls.size < 2) return undefined
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
