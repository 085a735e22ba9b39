import { sumUsage } from '@stickler/core/wire'
import { countOf } from '../kinds/count-of.ts'
import type { ReplyHead, Upstream, UpstreamCall } from '../upstream.ts'
import { addUsage } from '../usage.ts'

/** Calls an upstream that returns one choice at a time once per requested choice, all at once. */
export function fanOut(upstream: Upstream): Upstream {
  return {
    ...upstream,
    call(request, options) {
      const { n: _, ...single } = request
      const wanted = countOf(request)
      if (wanted === 1) return upstream.call('n' in request ? single : request, options)
      const calls = Array.from({ length: wanted }, () => upstream.call(single, options))
      return {
        choices: calls.flatMap(({ choices }) => choices),
        head: () => calls.map((call) => call.head()).reduce(addHead),
        upstream: () => nameOf(calls, upstream.name),
      }
    },
  }
}

function nameOf([first]: readonly UpstreamCall[], name: string): string {
  return first?.upstream() ?? name
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
