import type { ChatRequest } from '../../apis/shared/api.ts'
import type { PlacedSchema } from '../../apis/shared/structured-output.ts'
import type { WireTurns } from '../../apis/shared/wire.ts'
import { withSchema } from '../../engine/attempt/instructed-prompt.ts'

/** The number of requested choices. */
export function countOf({ n }: ChatRequest): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 1 ? n : 1
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
