import { placeSchema, sumUsage, withSchema } from '@stickler/core/internal'
import type { ChatRequest, PlacedSchema, WireTurns } from '@stickler/core/internal/apis'
import { addUsage } from './call-usage.ts'
import type { ReplyHead, Upstream } from './upstream.ts'

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

/** A request with the schema in its messages, if it belongs there. */
export function withSchemaInMessages(request: ChatRequest, { inPrompt }: PlacedSchema): ChatRequest {
  return inPrompt === undefined ? request : { ...request, messages: withSchema(request.messages, inPrompt) }
}

/** The same for additions to a client's own request. */
export function withSchemaInRules(added: WireTurns, { inPrompt }: PlacedSchema): WireTurns {
  if (inPrompt === undefined) return added
  const { instructions } = added
  return { ...added, instructions: instructions === undefined ? inPrompt.text : `${instructions}\n\n${inPrompt.text}` }
}
