import { Answer, errorsOf, type Issue, type Outcome, type Usage } from '@stickler/core'
import {
  type AskEnvelope,
  type AskError,
  type AskMode,
  type AskResult,
  type AskValidation,
  type AskWarning,
  askEnvelope,
  type ByteSpan,
  byteSpans,
  readCitations,
} from '@stickler/presets/internal'
import type { NodeTrace } from '../reply/node-trace.ts'
import { type AskReply, failureReply } from '../reply/reply.ts'
import { nodesOf, type QuestionParts } from './question-parts.ts'

/** An answer, wherever it came from. */
export type Given = Pick<Outcome, 'text' | 'issues' | 'unchecked' | 'delivered' | 'status'> &
  Partial<Pick<Outcome, 'failure' | 'validationStatus'>>

/** Who answered a question, and how. */
interface AnswerTerms extends Pick<AskEnvelope, 'mode' | 'provider' | 'model'> {
  readonly upstream: string
  readonly warnings?: readonly AskWarning[]
  readonly cacheHit?: boolean
  readonly retryCount: number
  /** Of all calls. */
  readonly usage: Usage
  /** The nodes of its generation. */
  readonly nodes?: readonly NodeTrace[]
}

/** The reply that an answer makes. */
export function answerReply(given: Given, parts: QuestionParts, terms: AnswerTerms): AskReply {
  const { mode, provider, model, upstream, warnings = [], cacheHit = false, retryCount, usage } = terms
  const { sources, rules, prepared } = parts
  const way = nodesOf(parts, terms.nodes)
  const here = { provider, upstream, model, ...way }
  const { failure, delivered, validationStatus = '' } = given
  // If only the second attempt failed, the pipeline answers with the first.
  const isAnswered = prepared !== undefined && delivered && failure?.kind !== 'aborted'
  if (failure !== undefined && !isAnswered) return { ...failureReply(failure), ...here }
  if (!delivered && given.status === 'unchecked')
    return { ok: false, status: 424, verdict: 'unchecked', error: 'the answer could not be checked', ...here }
  const validation = validationOf(given, mode, [...warnings, ...parts.warnings])
  if (!validation.ok && !delivered)
    return { ok: false, status: 422, verdict: 'unresolved', error: 'ASK citation validation failed after retry', validation, ...here }
  const envelope = askEnvelope({
    answer: given.text,
    cache_hit: cacheHit,
    citations: rules.cites ? citationsOf(given.text, sources.length) : [],
    completion_tokens: usage.completionTokens,
    // Without the noise of binary fractions, which nobody was charged.
    cost_usd: Number((usage.cost ?? 0).toPrecision(12)),
    mode,
    model,
    prompt_tokens: usage.promptTokens,
    provider,
    retry_count: retryCount,
    sources,
    validation,
    ...(prepared && {
      context_relevant: prepared.context_relevant ?? null,
      reformulations: prepared.reformulations,
      type: prepared.type,
      validation_status: validationStatus,
    }),
  })
  const verdict = errorsOf(given).length > 0 ? 'unresolved' : given.unchecked.length > 0 ? 'unchecked' : 'valid'
  return { ok: true, status: 200, verdict, upstream, envelope, ...way }
}

/** The citations of an answer, with byte spans. */
export function citationsOf(text: string, sourcesCount: number): AskResult['citations'] {
  const { citations } = readCitations(text, sourcesCount, new Answer(text).bodyStart)
  const spans = byteSpans(
    text,
    citations.map(({ span }) => span),
  )
  return citations.map(({ marker }, index) => ({ marker, span: asPair(spans[index]) }))
}

/**
 * The result of checking: all issues in text order, what could not be checked, and the errors when
 * the answer is rejected.
 */
export function validationOf(
  { text, issues, unchecked }: Pick<Outcome, 'text' | 'issues' | 'unchecked'>,
  mode: AskMode,
  further: readonly AskWarning[] = [],
): AskValidation {
  const errors = errorsOf({ issues })
  const placed = issues.flatMap(({ span }) => (span === undefined ? [] : [span]))
  const spans = byteSpans(text, placed)
  let next = 0
  const warnings: AskWarning[] = issues.map((issue) =>
    issue.span === undefined ? errorOf(issue) : { ...errorOf(issue), span: asPair(spans[next++]) },
  )
  // Not its message, which may quote anything.
  for (const { validator, cause } of unchecked) warnings.push({ kind: 'unchecked', detail: `${validator} could not run (${cause})` })
  const ok = mode === 'lenient' || errors.length === 0
  return { ok, warnings: [...warnings, ...further], errors: ok ? [] : errors.map(errorOf) }
}

function errorOf({ code, message }: Issue): AskError {
  return { kind: code.replace(/^CITATION_/, '').toLowerCase(), detail: message }
}

function asPair(span: { readonly start: number; readonly end: number } | undefined): ByteSpan {
  return [span?.start ?? 0, span?.end ?? 0]
}
