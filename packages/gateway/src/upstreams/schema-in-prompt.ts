import type { ChatRequest, WireTurns } from '@stickler/core/internal'
import { type PlacedSchema, placeSchema, withSchema } from '@stickler/core/runners'
import type { Upstream } from './upstream.ts'

/** Puts the schema that a contract tells the model into the prompt, for upstreams that do not send it themselves. */
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

/** A request with the schema in its messages, where it belongs there. */
export function withSchemaInMessages(request: ChatRequest, { inPrompt }: PlacedSchema): ChatRequest {
  return inPrompt === undefined ? request : { ...request, messages: withSchema(request.messages, inPrompt) }
}

/** The same for what is added to a client's own request. */
export function withSchemaInRules(added: WireTurns, { inPrompt }: PlacedSchema): WireTurns {
  if (inPrompt === undefined) return added
  const { instructions } = added
  return { ...added, instructions: instructions === undefined ? inPrompt.text : `${instructions}\n\n${inPrompt.text}` }
}
