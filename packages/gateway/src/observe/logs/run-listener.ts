import { circuitLines, unvalidatedLine } from '@stickler/parser'
import type { Logger } from '../../front/log.ts'
import type { AttemptRecord, RunNames, RunRecord } from '../../records/run/run-record.ts'
import { attemptLine, deliveryLines, pipelineLines, uncheckedLines } from './run-lines.ts'

/** The dependencies of lines about runs. */
export interface RunListenerParts {
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

const none: readonly string[] = []

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
