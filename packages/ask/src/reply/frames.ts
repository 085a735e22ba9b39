import { canonicalJson } from './canonical-json.ts'
import { type AskEnvelope, type AskSource, type AskValidation, sourcesFlat, validationBody } from './envelope.ts'

/** What the last frame tells about how an answer was made. */
export type FrameAudit = Pick<
  AskEnvelope,
  'cache_hit' | 'completion_tokens' | 'cost_usd' | 'mode' | 'model' | 'prompt_tokens' | 'provider' | 'retry_count'
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
}

/** The first frame: the sources, in the order that markers count. */
export function sourcesFrame(sources: readonly AskSource[]): string {
  return frame('sources', { sources_flat: sourcesFlat(sources) })
}

/** The next piece of the answer. */
export function answerTokenFrame(text: string): string {
  return frame('answer_token', { text })
}

/** The last frame of an answer that was delivered, with what checking found. */
export function validationFrame(last: ValidationFrame): string {
  const { cache_hit, completion_tokens, cost_usd, mode, model, prompt_tokens, provider, retry_count } = last.audit
  return frame('validation', {
    audit: { cache_hit, completion_tokens, cost_usd, mode, model, prompt_tokens, provider, retry_count },
    ...validationBody(last),
  })
}

/** The last frame of a stream that ends without an answer. */
export function errorFrame({ code, message, validation }: ErrorFrame): string {
  return frame('error', { code, message, validation: validation && validationBody(validation) })
}

/** JSON on one line cannot begin a field of its own: every line break inside is escaped. */
function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${canonicalJson(data)}\n\n`
}
