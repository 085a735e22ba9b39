import { circuitLines, unvalidatedLine } from '@stickler/parser'
import type { Logger } from '../../front/log.ts'
import { isLeftAlone } from '../../front/replies/left-alone.ts'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import { attemptLines } from './attempt-lines.ts'
import { pipelineLines } from './pipeline-lines.ts'

/** What lines about runs are written with. */
export interface RunListenerParts {
  readonly log: Logger
  /** Takes known secrets out of a text. */
  mask(text: string): string
  /** The checks of each contract that need the parser, as it is now. */
  parserChecks(): ReadonlyMap<string, ReadonlySet<string>>
}

/** Writes what the log says about runs. */
export class RunListener {
  readonly #with: RunListenerParts

  constructor(parts: RunListenerParts) {
    this.#with = parts
  }

  /** Writes the lines of a run that is over. */
  run(record: RunRecord): void {
    const { log } = this.#with
    const { id, requestId, api, key, contract, model, upstream, upstreamModel, status, ms, attempts, stream, failure, usage } = record
    const known = {
      requestId,
      run: id,
      api,
      key,
      // No operator can ask a model.
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
    log.info(failure === undefined ? known : { ...known, kind: isLeftAlone(failure.message) ? 'circuit_open' : failure.kind }, 'run')
    for (const { level, fields, message } of attemptLines(record)) log[level](fields, message)
    for (const attempt of attempts) this.#process(attempt, record)
    this.parser(record)
    for (const { level, fields, message } of pipelineLines(record))
      log[level]({ ...fields, event: 'pipeline', requestId, run: id }, message)
  }

  /** Writes that code was delivered without a verdict of the parser. */
  parser(record: RunRecord): void {
    const { log, parserChecks } = this.#with
    for (const line of parserLines(record, parserChecks())) log.warn({ event: 'parser', requestId: record.requestId, run: record.id }, line)
  }

  #process({ number, resumption, stderr }: AttemptRecord, { requestId, id, upstream }: RunRecord): void {
    if (resumption === undefined && stderr === undefined) return
    const { log, mask } = this.#with
    const about = { requestId, run: id, upstream, attempt: number }
    if (resumption === 'forgotten') log.warn({ ...about, event: 'session' }, 'the session to resume was gone; the transcript was sent')
    // Masked before the log cuts its lines, so that every secret is whole.
    if (stderr !== undefined) log.warn({ ...about, event: 'stderr', stderr: mask(stderr).split(/\r?\n/).slice(-16) }, 'error stream')
  }
}

const none: readonly string[] = []

/** What is logged about a response whose code has no verdict: that the parser was skipped, and that it is returned so. */
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
