import type { NodeTrace } from '@stickler/ask/pipeline'
import type { Issue } from '@stickler/core'
import { sentenceOfCodes } from '@stickler/core/internal'
import { circuitLines, pipelineLogLines, unvalidatedLine } from '@stickler/presets/internal'
import type { Logger } from '../../front/log.ts'
import type { AttemptRecord, RunNames, RunRecord, ShadowVerdict } from '../../records/run/run-record.ts'

/** The dependencies of lines about runs. */
interface RunListenerParts {
  readonly log: Logger
  /** Masks known secrets in a text. */
  mask(text: string): string
  /** The checks of each contract that need the parser, currently. */
  parserChecks(): ReadonlyMap<string, ReadonlySet<string>>
}

/** Writes the log lines about runs. */
export class RunListener {
  readonly #with: RunListenerParts

  constructor(parts: RunListenerParts) {
    this.#with = parts
  }

  /** Writes the line of an attempt that failed. */
  attempt(attempt: AttemptRecord, run: RunNames): void {
    const { level, fields, message } = attemptLine(attempt, run)
    this.#with.log[level](fields, message)
  }

  /** Writes the lines of a finished run. */
  run(record: RunRecord): void {
    const { log } = this.#with
    const { id, requestId, api, key, contract, model, upstream, upstreamModel, status, ms, attempts, stream, failure, usage } = record
    const known = {
      requestId,
      run: id,
      api,
      key,
      // Operators cannot call models.
      role: key === '' ? 'local' : 'client',
      contract,
      model,
      upstream,
      upstreamModel,
      verdict: status,
      ms: Math.round(ms),
      attempts: attempts.length,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      stream,
    }
    log.info(failure === undefined ? known : { ...known, kind: failure.kind }, 'run')
    for (const { level, fields, message } of deliveryLines(record)) log[level](fields, message)
    for (const attempt of attempts) this.#process(attempt, record)
    for (const fields of uncheckedLines(record)) log.warn(fields, 'a validator could not check')
    this.parser(record)
    for (const { level, fields, message } of pipelineLines(record))
      log[level]({ ...fields, event: 'pipeline', requestId, run: id }, message)
  }

  /** Writes the line of a shadow contract whose verdict differs from that of the contract; other verdicts only for debugging. */
  shadow({ contract: shadow, status, liveStatus, codes, liveCodes }: ShadowVerdict, { id, requestId, contract, model }: RunRecord): void {
    const fields = {
      event: 'shadow',
      requestId,
      run: id,
      contract,
      model,
      verdict: liveStatus,
      liveCodes,
      shadow,
      shadowVerdict: status,
      codes,
    }
    const isSame = status === liveStatus && codes === '' && liveCodes === ''
    this.#with.log[isSame ? 'debug' : 'info'](fields, 'shadow contract')
  }

  /** Logs that code was delivered without a parser verdict. */
  parser(record: RunRecord): void {
    const { log, parserChecks } = this.#with
    for (const line of parserLines(record, parserChecks())) log.warn({ event: 'parser', requestId: record.requestId, run: record.id }, line)
  }

  #process({ number, resumption, stderr }: AttemptRecord, { requestId, id, upstream }: RunRecord): void {
    if (resumption === undefined && stderr === undefined) return
    const { log, mask } = this.#with
    const about = { requestId, run: id, upstream, attempt: number }
    if (resumption === 'forgotten')
      log.warn({ ...about, event: 'session' }, 'the session to resume no longer exists; the transcript was sent')
    // Masked before the log cuts its lines, so that every secret is complete.
    if (stderr !== undefined) log.warn({ ...about, event: 'stderr', stderr: mask(stderr).split(/\r?\n/).slice(-16) }, 'error stream')
  }
}

const none: readonly never[] = []

/**
 * The log lines of a response with unchecked code: that the parser was skipped, and that it is
 * returned anyway.
 */
export function parserLines(record: RunRecord, checks: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  // First, because nearly all runs end here.
  if (record.unchecked.length === 0) return none
  const needing = checks.get(record.contract)
  if (needing === undefined) return none
  const without = record.unchecked.filter(({ validator }) => needing.has(validator))
  return [
    ...(without.some(({ reason }) => reason === 'open') ? [circuitLines.open] : []),
    ...(without.length > 0 && record.delivered === true ? [unvalidatedLine] : []),
  ]
}

/** The log fields of one attempt; never a message, which may quote the model. */
interface AttemptLine {
  readonly level: 'warn' | 'info'
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** The line of an attempt that failed. */
export function attemptLine(attempt: AttemptRecord, run: RunNames): AttemptLine {
  return {
    // A disconnected client or a shutdown is not a failure.
    level: attempt.failure === 'aborted' ? 'info' : 'warn',
    fields: { ...run, attempt: attempt.number, ...namesOf(attempt.issues.filter(isError)), ...kindOf(attempt) },
    message: 'attempt failed',
  }
}

/** The lines of what was delivered: with repairs, with warnings. */
export function deliveryLines({ requestId, id, contract, model, repairs, fixed, issues, delivered }: RunRecord): readonly AttemptLine[] {
  const warnings = delivered === true ? issues.filter((one) => !isError(one)) : []
  if (repairs.length === 0 && warnings.length === 0) return none
  const run = { requestId, run: id, contract, model }
  const lines: AttemptLine[] = []
  if (repairs.length > 0)
    lines.push({ level: 'info', fields: { ...run, ...namesOf(fixed), repairs: repairs.length }, message: 'fallback: repairs applied' })
  if (warnings.length > 0) lines.push({ level: 'warn', fields: { ...run, ...namesOf(warnings) }, message: 'delivered with warnings' })
  return lines
}

/** Why a call yielded no answer. */
function kindOf({ failure }: AttemptRecord): { readonly kind?: string } {
  return failure === undefined ? {} : { kind: failure }
}

function isError({ severity }: Issue): boolean {
  return severity === 'error'
}

/** Each name once; a plugin may have put text of the model where a name belongs. */
function namesOf(issues: readonly Issue[]): { readonly codes: readonly string[]; readonly validator: readonly string[] } {
  const names = (all: readonly string[], form: RegExp) => [...new Set(all.map((name) => (form.test(name) ? name : 'other')))]
  return {
    codes: names(
      issues.map(({ code }) => code),
      /^[A-Z][A-Z0-9_]{0,63}$/,
    ),
    validator: names(
      issues.map(({ validator }) => validator),
      /^[a-z][a-z0-9_]{0,63}$/,
    ),
  }
}

/**
 * Log lines about a pipeline; never a query or a passage, nor messages of a service that may repeat
 * them.
 */
interface PipelineLine {
  readonly level: 'warn' | 'info'
  readonly fields: { readonly kind: string; readonly reason?: string }
  readonly message: string
}

/** One line for everything unusual: a degraded step, and passages that were not relevant. */
export function pipelineLines({ pipeline }: RunRecord): readonly PipelineLine[] {
  if (pipeline === undefined) return none
  return pipeline.flatMap(({ node, degraded, codes, chunks, left_out: leftOut, relevance }): PipelineLine[] => {
    const fallback = relevance?.fallback
    return [
      ...(degraded === undefined
        ? []
        : [{ level: 'warn' as const, fields: { kind: node, ...why(codes) }, message: degradedLine(node, chunks) }]),
      ...(leftOut === undefined ? [] : [{ level: 'warn' as const, fields: { kind: node }, message: pipelineLogLines.leftOut }]),
      ...(fallback === undefined
        ? []
        : [{ level: 'warn' as const, fields: { kind: node, ...why(codes) }, message: pipelineLogLines.relevanceFallback }]),
      ...(relevance?.relevant === false
        ? [{ level: 'info' as const, fields: { kind: node }, message: pipelineLogLines.insufficient }]
        : []),
    ]
  })
}

function why(codes: NodeTrace['codes']): { readonly reason?: string } {
  const reason = sentenceOfCodes(codes)
  return reason === '' ? {} : { reason }
}

function degradedLine(node: string, chunks: readonly unknown[] | undefined): string {
  if (node === 'retrieve') {
    return chunks === undefined || chunks.length === 0 ? pipelineLogLines.noSources : pipelineLogLines.halfSearch
  }
  return node === 'check_context_relevance' ? pipelineLogLines.relevanceFailed : pipelineLogLines.degraded
}

/** What is logged about a validator that could not check. */
type UncheckedFields = Readonly<Record<'event' | 'requestId' | 'run' | 'contract' | 'validator' | 'kind', string>>

/** One line for every validator that could not check, with the kind of cause; never its message, which may quote the model. */
export function uncheckedLines({ unchecked, requestId, id, contract }: RunRecord): readonly UncheckedFields[] {
  // First, because nearly all runs end here.
  if (unchecked.length === 0) return none
  return unchecked.map(({ validator, cause, reason, fault }) => ({
    event: 'unchecked',
    requestId,
    run: id,
    contract,
    // A validator from outside may have put words of the model where a name belongs.
    validator: /^[a-z][a-z0-9_-]{0,63}$/.test(validator) ? validator : 'other',
    kind: fault ?? reason ?? cause,
  }))
}
