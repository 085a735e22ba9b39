import type { CostLimitName } from '../cost-guard.ts'
import { canonicalJson } from './canonical-json.ts'
import { type AskEnvelope, type AskSource, type AskValidation, type FailedProvider, sourcesFlat, validationBody } from './envelope.ts'

/** How an answer was made, for the last frame. */
export type FrameAudit = Pick<
  AskEnvelope,
  | 'cache_hit'
  | 'completion_tokens'
  | 'context_relevant'
  | 'cost_usd'
  | 'mode'
  | 'model'
  | 'prompt_tokens'
  | 'provider'
  | 'reformulations'
  | 'retry_count'
  | 'type'
  | 'validation_status'
>

/** The last frame of an answer that was delivered. */
export interface ValidationFrame extends AskValidation {
  readonly audit: FrameAudit
}

/** The last frame of a stream that ends without an answer. */
export interface ErrorFrame {
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
  const { cache_hit, completion_tokens, context_relevant, cost_usd, mode, model, prompt_tokens, provider } = last.audit
  const { reformulations, retry_count, type, validation_status } = last.audit
  const known = { cache_hit, completion_tokens, cost_usd, mode, model, prompt_tokens, provider, retry_count }
  // Absent without the pipeline, and then left out.
  return frame('validation', { audit: { ...known, context_relevant, reformulations, type, validation_status }, ...validationBody(last) })
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
