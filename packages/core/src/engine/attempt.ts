import { Answer } from '../answer/answer.ts'
import type { Issue } from '../contract/issue.ts'
import { checkContext } from './check.ts'
import { Continuation } from './continuation.ts'
import { untilAborted } from './model-call.ts'
import type { Report } from './report.ts'
import type { RunState } from './run-state.ts'
import type { ModelEvent, Prompt } from './runner.ts'
import { asRunnerFailure, RunnerFailure } from './runner-failure.ts'
import { type StreamRules, VerifiedStream } from './stream.ts'
import { isCutShort } from './truncation.ts'

/** What a retry asks with. */
export interface Retry {
  readonly feedback: string
  readonly rejected: string
  /** The whole prompt, when the model is asked anew instead of in the conversation that it had. */
  readonly anew?: Prompt
}

/** An answer as it was received; `verdict` when it was stopped before its end. */
export interface Received {
  readonly answer: Answer
  readonly verdict?: Report
}

type End = Extract<ModelEvent, { type: 'end' }>

/** Calls the model once and yields the text that may be shown; throws a RunnerFailure when there is no answer. */
export async function* attempt(run: RunState, retry: Retry | undefined, rules: StreamRules | undefined): AsyncGenerator<string, Received> {
  run.attempts++
  const number = run.attempts
  const started = run.clock.now()
  run.trace({ type: 'attempt-started', attempt: number, call: retry && retry.anew === undefined ? 'continue' : 'run' })
  const stream = new VerifiedStream(
    run.contract,
    checkContext(run.contract, run.checkOptions),
    rules ?? { release: 'hold', repairs: false, stops: false },
  )
  const delivered = run.released
  const continuation = delivered === '' ? undefined : new Continuation(delivered)
  if (continuation) stream.resume(delivered)
  let end: End | undefined
  try {
    for await (const event of untilAborted(startCall(run, retry, rules !== undefined), run.signal)) {
      rejectMalformed(event, end)
      if (event.type === 'end') {
        end = event
        continue
      }
      const step = continuation ? continuation.push(event.text) : ({ kind: 'text', text: event.text } as const)
      if (step.kind === 'contradiction') return contradiction(run, number, stream.text)
      if (step.kind === 'pending') continue
      const { released, doom } = stream.push(step.text)
      if (doom) return stopped(run, number, stream.text.slice(0, doom.at), doom)
      if (released !== '') {
        run.release(released)
        yield released
      }
    }
    run.signal.throwIfAborted()
    if (end === undefined) throw new RunnerFailure('protocol', 'the runner stopped without an end event')
  } catch (error) {
    throw run.signal.aborted ? run.abortFailure() : asRunnerFailure(error)
  }
  const rest = continuation?.end()
  if (rest?.kind === 'contradiction') return contradiction(run, number, stream.text)
  if (rest?.kind === 'text') stream.push(rest.text)
  return conclude(run, number, stream, end, started, delivered)
}

/** A runner that does not keep to its port has no answer. */
function rejectMalformed(event: unknown, end: End | undefined): void {
  const { type, text } = (typeof event === 'object' && event !== null ? event : {}) as { type?: unknown; text?: unknown }
  const isRight = type === 'end' || (type === 'text' && typeof text === 'string')
  if (!isRight) throw new RunnerFailure('protocol', 'the runner sent something that is no model event')
  if (end !== undefined) throw new RunnerFailure('protocol', 'the runner sent something behind its end event')
}

function startCall(run: RunState, retry: Retry | undefined, stream: boolean): AsyncIterable<ModelEvent> {
  const { timeLeft } = run
  const options = { signal: run.signal, stream, ...(timeLeft === undefined ? {} : { timeLeftMs: timeLeft }) }
  if (retry === undefined) return run.runner.run(run.session, run.prompt, options)
  if (retry.anew !== undefined) return run.runner.run(run.firstSession, retry.anew, options)
  return run.runner.continue(run.session, retry.feedback, { ...options, original: run.prompt, rejected: retry.rejected })
}

function conclude(
  run: RunState,
  number: number,
  stream: VerifiedStream,
  end: End | undefined,
  started: number,
  delivered: string,
): Received {
  stream.end()
  const { text } = stream
  const toolCalls = end?.toolCalls ?? []
  run.spend(end?.usage)
  if (end?.session !== undefined) run.session = end.session
  const added = text.slice(delivered.length)
  if (!/[^\p{Z}\p{C}]/u.test(added) && toolCalls.length === 0 && delivered !== '' && !isCutShort(end?.finishReason))
    throw new RunnerFailure('empty', 'the model added nothing to the text that had been delivered')
  // What was cut off or refused before its first word is judged as that, and nothing is judged where everything is delivered.
  const isJudged = isCutShort(end?.finishReason) || run.contract.policy.mode === 'shadow'
  if (text.trim() === '' && toolCalls.length === 0 && !isJudged)
    throw new RunnerFailure('empty', 'the model answered with neither text nor a tool call')
  const known = { ...(end?.usage ? { usage: end.usage } : {}), ...(end?.finishReason ? { finishReason: end.finishReason } : {}) }
  run.trace({ type: 'attempt-received', attempt: number, text, ms: run.clock.now() - started, ...known })
  const parts = { toolCalls, ...(end?.finishReason ? { finishReason: end.finishReason } : {}) }
  return { answer: new Answer(text, stream.readAll ? { ...parts, reader: stream.reader } : parts) }
}

function stopped(run: RunState, number: number, text: string, doom: { readonly at: number; readonly issues: readonly Issue[] }): Received {
  run.spend(undefined)
  run.trace({ type: 'attempt-stopped', attempt: number, offset: doom.at, issues: doom.issues })
  return { answer: new Answer(text), verdict: { issues: doom.issues, unchecked: [], facts: {}, repairable: false } }
}

function contradiction(run: RunState, number: number, text: string): Received {
  const issue: Issue = {
    code: 'CONTINUATION_MISMATCH',
    severity: 'error',
    validator: 'continuation',
    message:
      run.contract.policy.locale === 'de'
        ? 'Die Fortsetzung widerspricht dem bereits ausgelieferten Text'
        : 'Go on from the delivered text; the reply contradicts it.',
  }
  return stopped(run, number, text, { at: text.length, issues: [issue] })
}
