import { canonicalJson } from './canonical-json.ts'

/** Strict refuses an answer with wrong citations; lenient delivers it with warnings. */
export type AskMode = 'strict' | 'lenient'

/** A range of UTF-8 bytes of the answer. */
export type ByteSpan = readonly [start: number, end: number]

/** A source that a question is answered from. */
export interface AskSource {
  readonly urn: string
  readonly payload: string
  /** Changes whenever the payload does; derived from the payload when absent. */
  readonly version?: bigint
}

/** Why an answer was rejected. */
export interface AskError {
  /** `malformed`, `out_of_range`, or the code of another error in lower case, such as `truncated`. */
  readonly kind: string
  readonly detail: string
}

/** A warning about an answer. */
export interface AskWarning {
  /** That of an error, `unchecked`, `mode_fallback`, or what the pipeline could not do, such as `retrieval_unavailable`. */
  readonly kind: string
  readonly detail: string
  /** Absent for warnings without a place in the answer. */
  readonly span?: ByteSpan
}

/** The result of checking the citations. */
export interface AskValidation {
  readonly ok: boolean
  readonly warnings: readonly AskWarning[]
  readonly errors: readonly AskError[]
}

/** The body of a reply of `/ask`. */
export interface AskEnvelope {
  readonly answer: string
  readonly cache_hit: boolean
  /** Sorted by marker; those with the same one in the order of the text. */
  readonly citations: readonly {
    readonly marker: number
    /** Place in `sources_flat`, from 0; there need be no such source. */
    readonly source_index: number
    readonly span: ByteSpan
    readonly urn: string | null
  }[]
  readonly completion_tokens: number
  /** Only with the pipeline, as are `reformulations`, `type` and `validation_status`: the verdict on the retrieved context, null when it was not checked. */
  readonly context_relevant?: boolean | null
  readonly cost_usd: number | null
  readonly mode: AskMode
  readonly model: string
  readonly prompt_tokens: number
  readonly provider: string
  /** How often the query was reformulated because its context was insufficient: 0 or 1. */
  readonly reformulations?: number
  readonly retry_count: number
  readonly sources_flat: readonly { readonly payload: string; readonly urn: string }[]
  readonly type?: string
  readonly validation: AskValidation
  /** Empty when nothing is wrong, `INVALID_UNRESOLVED`, or `PARSER_UNAVAILABLE`. */
  readonly validation_status?: string
}

/** What an envelope is made of. */
export interface AskResult extends Omit<AskEnvelope, 'citations' | 'sources_flat'> {
  readonly citations: readonly { readonly marker: number; readonly span: ByteSpan }[]
  readonly sources: readonly AskSource[]
}

/** The body of a reply when the answer was rejected twice. */
interface GiveUpBody {
  readonly ok: false
  readonly error: 'ASK citation validation failed after retry'
  readonly validation: AskValidation
}

/** A provider that could not answer. */
export interface FailedProvider {
  readonly provider: string
  readonly detail: string
  /** What happened; `detail` says the same in a sentence. */
  readonly code: FailedCode
}

/** What happened at a provider that could not answer. */
export type FailedCode =
  | 'circuit_open' // it failed too often and was not called
  | 'busy' // all its processes were busy
  | 'connection_refused'
  | 'dns'
  | 'connection_reset'
  | 'tls'
  | 'unreachable' // any other failure of the connection
  | 'timeout'
  | 'status' // an error status
  | 'failed' // anything else

/** Makes the body of a reply; its keys are in alphabetical order. */
export function askEnvelope({ sources, ...result }: AskResult): AskEnvelope {
  const envelope: AskEnvelope = {
    ...result,
    citations: [...result.citations]
      .sort((a, b) => a.marker - b.marker || a.span[0] - b.span[0])
      .map(({ marker, span }) => ({ marker, source_index: marker - 1, span, urn: sources[marker - 1]?.urn ?? null })),
    sources_flat: sourcesFlat(sources),
    validation: validationBody(result.validation),
  }
  return Object.fromEntries(Object.entries(envelope).sort(([a], [b]) => (a < b ? -1 : 1))) as unknown as AskEnvelope
}

/** The bytes of a reply: equal results are equal text. */
export function envelopeBytes(envelope: AskEnvelope): string {
  return canonicalJson(envelope)
}

/** Sources as they are written on the wire, without their versions. */
export function sourcesFlat(sources: readonly AskSource[]): AskEnvelope['sources_flat'] {
  return sources.map(({ payload, urn }) => ({ payload, urn }))
}

/** A validation as it is written on the wire, without anything else that its parts may carry. */
export function validationBody({ errors, ok, warnings }: AskValidation): AskValidation {
  return {
    errors: errors.map(({ detail, kind }) => ({ detail, kind })),
    ok,
    warnings: warnings.map(({ detail, kind, span }) => (span ? { detail, kind, span } : { detail, kind })),
  }
}

/** Makes the body of a rejection, in the key order that clients of the original expect. */
export function giveUpBody({ ok, warnings, errors }: AskValidation): GiveUpBody {
  return {
    ok: false,
    error: 'ASK citation validation failed after retry',
    validation: {
      ok,
      warnings: warnings.map(({ kind, span, detail }) => (span ? { kind, span, detail } : { kind, detail })),
      errors: errors.map(({ kind, detail }) => ({ kind, detail })),
    },
  }
}
