import { placeSchema, sumUsage } from '@stickler/core/internal'
import { addUsage, countOf, type ReplyHead, withSchemaInMessages, withSchemaInRules } from '@stickler/core/internal/relay'
import type { Upstream } from './upstream.ts'

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

/** Puts the schema of the contract into the prompt, for upstreams that do not send it themselves. */
export function withSchemaSent(upstream: Upstream): Upstream {
  if (upstream.takesSchema) return upstream
  return {
    ...upstream,
    call(request, { format, ...options }) {
      if (format === undefined) return upstream.call(request, options)
      const { native } = options
      const placed = placeSchema(format, native?.request.body ?? request, undefined)
      const asked = withSchemaInMessages(request, placed)
      return upstream.call(asked, native ? { ...options, native: { ...native, added: withSchemaInRules(native.added, placed) } } : options)
    },
  }
}
