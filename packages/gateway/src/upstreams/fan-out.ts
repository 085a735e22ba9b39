import type { ChatRequest } from '@stickler/core/internal'
import { sumUsage } from '@stickler/core/internal'
import type { ReplyHead, Upstream } from './upstream.ts'
import { addUsage } from './usage.ts'

/** The number of requested choices. */
export function countOf({ n }: ChatRequest): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 1 ? n : 1
}

/** Calls an upstream that returns one choice at a time once per requested choice, all at once. */
export function fanOut(upstream: Upstream): Upstream {
  return {
    ...upstream,
    call(request, options) {
      if (!('n' in request)) return upstream.call(request, options)
      const { n: _, ...single } = request
      const wanted = countOf(request)
      if (wanted === 1) return upstream.call(single, options)
      const calls = Array.from({ length: wanted }, () => upstream.call(single, options))
      return {
        choices: calls.flatMap(({ choices }) => choices),
        head: () => calls.map((call) => call.head()).reduce(addHead),
        upstream: () => calls[0]?.upstream() ?? upstream.name,
      }
    },
  }
}

function addHead(a: ReplyHead, b: ReplyHead): ReplyHead {
  const usage = addUsage(a.usage, b.usage)
  const rawUsage = summed(a.rawUsage, b.rawUsage)
  const nativeUsage = summed(a.nativeUsage, b.nativeUsage)
  const received = a.received === undefined && b.received === undefined ? {} : { received: (a.received ?? 0) + (b.received ?? 0) }
  return { ...b, ...a, ...received, ...(usage && { usage }), ...(rawUsage && { rawUsage }), ...(nativeUsage && { nativeUsage }) }
}

function summed(a: ReplyHead['rawUsage'], b: ReplyHead['rawUsage']): ReplyHead['rawUsage'] {
  return a === undefined || b === undefined ? (a ?? b) : sumUsage([a, b])
}
