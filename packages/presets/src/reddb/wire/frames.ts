import type { CostLimitName } from '../cost-guard.ts'
import { canonicalJson } from './canonical-json.ts'
import { type AskEnvelope, type AskSource, type AskValidation, type FailedProvider, sourcesFlat, validationBody } from './envelope.ts'

/** What the last frame says of how an answer was made; what only the pipeline has is absent without it. */
const audited = [
  ...['cache_hit', 'completion_tokens', 'context_relevant', 'cost_usd', 'mode', 'model', 'prompt_tokens', 'provider'],
  ...['reformulations', 'retry_count', 'type', 'validation_status'],
] as const satisfies readonly (keyof AskEnvelope)[]

/** The last frame of an answer that was delivered. */
export interface ValidationFrame extends AskValidation {
  readonly audit: Pick<AskEnvelope, (typeof audited)[number]>
}

/** The last frame of a stream that ends without an answer. */
interface ErrorFrame {
  /** The status that the reply would have had without streaming. */
  readonly code: number
  readonly message: string
  readonly validation?: AskValidation | undefined
  readonly limit?: CostLimitName | undefined
  /** When all providers failed: each in its order, with its reason. */
  readonly attempts?: readonly FailedProvider[] | undefined
}

/** The first frame: the sources, in marker order. */
export function sourcesFrame(sources: readonly AskSource[]): string {
  return frame('sources', { sources_flat: sourcesFlat(sources) })
}

/** The next piece of the answer. */
export function answerTokenFrame(text: string): string {
  return frame('answer_token', { text })
}

/** The last frame of an answer that was delivered, with what checking found. */
export function validationFrame(last: ValidationFrame): string {
  const audit = Object.fromEntries(audited.map((name) => [name, last.audit[name]]))
  return frame('validation', { audit, ...validationBody(last) })
}

/** The last frame of a stream that ends without an answer. */
export function errorFrame({ attempts, code, limit, message, validation }: ErrorFrame): string {
  return frame('error', {
    attempts: attempts?.map(({ code: what, detail, provider }) => ({ code: what, detail, provider })),
    code,
    limit,
    message,
    validation: validation && validationBody(validation),
  })
}

/** JSON on one line cannot begin a field of its own: every line break inside is escaped. */
function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${canonicalJson(data)}\n\n`
}
