import type { Answer } from '../answer/answer.ts'
import { isCutShort } from '../answer/finish-reason.ts'
import { type Policy, stopsEarly } from '../contract/policy.ts'
import type { Received, Retry } from './attempt/attempt.ts'
import { AbortableReading, type Take } from './attempt/model-call.ts'
import { eventParts, StreamedAttempt } from './attempt/streamed-attempt.ts'
import { wholeAttempt } from './attempt/whole-attempt.ts'
import { failedOutcome, outcomeOf, withFallback } from './build-outcome.ts'
import { withoutSecrets } from './check/hide-quoted.ts'
import { errorsOf, type Report } from './check/report.ts'
import { feedbackOnCalls, inWords } from './feedback/call-feedback.ts'
import { askAnew, endsWithUser } from './feedback/restart-prompt.ts'
import { schemaFeedback } from './feedback/schema-feedback.ts'
import { feedbackFor } from './feedback/validator-feedback.ts'
import { fingerprint, type Judged, judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { describeFailure } from './outcome.ts'
import { type SettledAnswer, settleAnswer } from './repair/settle.ts'
import type { RunState } from './run-state.ts'
import type { ModelEvent } from './runner.ts'
import { RunnerFailure } from './runner-failure.ts'
import { isLong, slicesOf } from './stream/failure-search.ts'
import type { StreamRules } from './stream/stream.ts'
import { attempting, type MaybePromise, whenReady } from './waiting/deferred.ts'

/** The loop of a run that shows nothing before its end. */
export function enforceWhole(run: RunState): MaybePromise<Outcome> {
  const turns = new Turns(run, undefined)
  const asked = (): MaybePromise<Outcome> => whenReady(wholeTurn(run, turns), (outcome) => outcome ?? furtherTurns(run, turns))
  return attempting(
    () => attempting(asked, asItIs, (error) => turns.fail(error)),
    (outcome) => {
      run.close()
      return outcome
    },
    (error) => {
      run.close()
      throw error
    },
  )
}

/** One attempt and what is decided on it; undefined when the model is to be asked again. */
function wholeTurn(run: RunState, turns: Turns): MaybePromise<Outcome | undefined> {
  return whenReady(wholeAttempt(run, turns.retry), (received) =>
    whenReady(turns.take(received), (judged) => (judged === undefined ? undefined : withFallback(run, outcomeOf(run, judged)))),
  )
}

async function furtherTurns(run: RunState, turns: Turns): Promise<Outcome> {
  for (;;) {
    // Not in the middle of what the last answer came by: the next call must find that at rest.
    await undefined
    const outcome = await wholeTurn(run, turns)
    if (outcome !== undefined) return outcome
  }
}

function asItIs(outcome: Outcome): Outcome {
  return outcome
}

type Texts = readonly string[]

/** What a streamed run gives next: texts that may be shown, those that came together in one list; in the end its outcome. */
type StreamStep = IteratorResult<Texts, Outcome>

/** What a reader gives the loop: an event that takes long, or the texts of one after which there is more to do; undefined at the end. */
type Come = { readonly event: ModelEvent } | { readonly released: Texts } | undefined

/** A run that gives texts as soon as they may be shown. The loop is a generator, which would make five promises for every event: simple events are read for it here. */
export class StreamedSteps {
  readonly #run: RunState
  readonly #loop: AsyncGenerator<Texts | AbortableReading<StreamStep>, Outcome, Come>
  #attempt: StreamedAttempt | undefined
  /** What is read now; absent while the loop is at work. */
  #reading: AbortableReading<StreamStep> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isBusy = false
  /** Steps that were asked for before the last one was over. */
  #queued = 0

  constructor(run: RunState, release: StreamRules['release']) {
    this.#run = run
    this.#loop = streamedLoop(run, release, (attempt) => this.#start(attempt))
  }

  next(): Promise<StreamStep> {
    const next = this.#isBusy || this.#queued > 0 ? this.#queue() : this.#step()
    this.#last = next
    return next
  }

  /** Ends the run with an outcome, once the step that is being taken is over. */
  async return(outcome: Outcome): Promise<void> {
    await this.#last.catch(() => {})
    await this.#loop.return(outcome)
  }

  #queue(): Promise<StreamStep> {
    this.#queued++
    const step = (): Promise<StreamStep> => {
      this.#queued--
      return this.#step()
    }
    return this.#last.then(step, step)
  }

  #step(): Promise<StreamStep> {
    this.#isBusy = true
    return this.#reading === undefined ? this.#loop.next().then(this.#onLoop) : this.#reading.next()
  }

  #start(attempt: StreamedAttempt): AbortableReading<StreamStep> {
    this.#attempt = attempt
    return attempt.start(this.#take, this.#fail)
  }

  readonly #onLoop = (step: IteratorResult<Texts | AbortableReading<StreamStep>, Outcome>): StreamStep | Promise<StreamStep> => {
    if (step.done || !(step.value instanceof AbortableReading)) {
      this.#isBusy = false
      return step as StreamStep
    }
    this.#reading = step.value
    return step.value.next()
  }

  readonly #take: Take<StreamStep> = (result) => {
    const attempt = this.#attempt
    if (result.done || attempt === undefined) return this.#goOn(undefined)
    const event = result.value
    if (this.#run.executor !== undefined && isLong(textOf(event))) return this.#goOn({ event })
    const released = attempt.take(event)
    if (attempt.isWaiting || attempt.isStopped) return this.#goOn({ released })
    if (released.length === 0) return undefined
    this.#isBusy = false
    return { done: false, value: released }
  }

  readonly #fail = (error: unknown): Promise<StreamStep> => {
    this.#reading = undefined
    return this.#loop.throw(error).then(this.#onLoop)
  }

  #goOn(come: Come): Promise<StreamStep> {
    this.#reading = undefined
    return this.#loop.next(come).then(this.#onLoop)
  }
}

/** The loop of a streamed run; it yields texts, and what is to be read for it. */
async function* streamedLoop(
  run: RunState,
  release: StreamRules['release'],
  start: (attempt: StreamedAttempt) => AbortableReading<StreamStep>,
): AsyncGenerator<Texts | AbortableReading<StreamStep>, Outcome, Come> {
  const turns = new Turns(run, release)
  try {
    for (;;) {
      const attempt = new StreamedAttempt(run, turns.retry, streamRules(run, release))
      let reading: AbortableReading<StreamStep> | undefined
      try {
        if (run.released !== '') await attempt.resume()
        reading = start(attempt)
        for (;;) {
          const come: Come = yield reading
          if (come === undefined) break
          if ('event' in come) yield* takeSlices(run, attempt, eventParts(come.event, textOf(come.event)))
          else {
            if (come.released.length > 0) yield come.released
            if (attempt.isWaiting) yield* takeVerdicts(attempt)
          }
          if (attempt.isStopped) break
        }
        if (!attempt.isStopped) attempt.requireEnd()
      } catch (error) {
        throw attempt.failure(error)
      } finally {
        await reading?.return()
      }
      const judged = await turns.take(attempt.isStopped ? await attempt.stopped() : attempt.conclude())
      if (!judged) {
        run.written = attempt.written
        continue
      }
      const outcome = withFallback(run, outcomeOf(run, judged))
      yield* releaseRest(run, outcome)
      return outcome
    }
  } catch (error) {
    const outcome = await turns.fail(error)
    yield* releaseRest(run, outcome)
    return outcome
  } finally {
    run.close()
  }
}

/** Takes a long text slice by slice, so that other runs are not kept waiting; any chunking gives the same verdict. */
async function* takeSlices(run: RunState, attempt: StreamedAttempt, parts: readonly string[]): AsyncGenerator<readonly string[]> {
  for (const part of parts)
    for (const slice of slicesOf(part)) {
      await run.executor?.pause()
      if (run.aborted) return
      const released = attempt.take({ type: 'text', text: slice })
      if (released.length > 0) yield released
      if (attempt.isWaiting) yield* takeVerdicts(attempt)
      if (attempt.isStopped) return
    }
}

/** Waits for verdicts before the model is read on. */
async function* takeVerdicts(attempt: StreamedAttempt): AsyncGenerator<readonly string[]> {
  while (attempt.isWaiting) {
    const released = await attempt.settle()
    if (released.length > 0) yield released
  }
}

/** Shows the rest of an answer that is delivered; a long one slice by slice. */
async function* releaseRest(run: RunState, { delivered, text }: Outcome): AsyncGenerator<readonly string[]> {
  const rest = text.slice(run.released.length)
  if (!delivered || rest === '') return
  if (run.executor === undefined || !isLong(rest)) {
    run.release(rest)
    yield [rest]
    return
  }
  for (const slice of slicesOf(rest)) {
    await run.executor.pause()
    run.release(slice)
    yield [slice]
  }
}

/** What a runner sends need not keep to its type. */
function textOf(event: ModelEvent): string {
  const { type, text } = (event ?? {}) as { type?: unknown; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : ''
}

/** The turns of a run: one attempt after the other, each checked, decided on, and perhaps repaired. */
class Turns {
  /** What the next attempt asks with. */
  retry: Retry | undefined
  readonly #run: RunState
  readonly #releasing: StreamRules['release'] | undefined
  /** What there is to go back to when no further answer comes. */
  readonly #rejected: Rejected[] = []

  constructor(run: RunState, releasing: StreamRules['release'] | undefined) {
    this.#run = run
    this.#releasing = releasing
    if (!run.traced) return
    const { validators, policy, skipped } = run.contract
    const names = validators.map(({ name }) => name)
    const { mode, retries } = policy
    run.trace({
      run: run.name,
      at: run.elapsed,
      type: 'run-started',
      validators: names,
      mode,
      maxAttempts: retries + 1,
      ...(skipped && { skipped }),
    })
  }

  /** Judges what was received; undefined when the model is to be asked again. */
  take(received: Received): MaybePromise<Judged | undefined> {
    // What has been shown counts, and not what the model wrote in its place.
    const shown = received.edited ? { ...received, answer: received.edited.answer } : received
    return whenReady(judge(this.#run, received, this.#releasing), (judged) => this.#act(shown, judged))
  }

  /** The outcome of a run that a runner has failed: the best answer so far, when there is one. */
  async fail(error: unknown): Promise<Outcome> {
    if (!(error instanceof RunnerFailure)) throw error
    const run = this.#run
    const { name, traced } = run
    if (traced) run.trace({ run: name, at: run.elapsed, type: 'runner-failed', attempt: run.attempts, failure: describeFailure(error) })
    const best = error.kind === 'aborted' ? undefined : await bestSoFar(run, this.#rejected)
    if (best === undefined) return withFallback(run, failedOutcome(run, error))
    const { attempt, decision, kept } = best
    if (traced) {
      const { certificates, fixed } = kept
      const repairs = withoutSecrets(certificates)
      if (repairs.length > 0)
        run.trace({ run: name, at: run.elapsed, type: 'repaired', attempt, clean: true, repairs, fixed, remaining: [] })
      run.trace({ run: name, at: run.elapsed, type: 'decided', attempt, ...decision })
    }
    const { answer, report } = kept
    const final = { edits: run.shownRepairs, answer, report, decision: { ...decision, reason: 'runner-failed' }, repaired: kept } as const
    return withFallback(run, outcomeOf(run, final, error))
  }

  #act(received: Received, judged: Judged): Judged | undefined {
    const { action, reason } = judged.decision
    // Checks that an abort cut short say nothing.
    if (this.#run.aborted && reason !== 'clean') throw this.#run.abortFailure()
    if (action !== 'retry') return judged
    const { attempts: attempt } = this.#run
    if (mayServe(this.#run, received, judged)) this.#rejected.push({ attempt, answer: received.answer, found: judged.found })
    this.#run.tally.reject(this.#run, fingerprint(received.answer, judged.found))
    this.retry = prepareRetry(this.#run, received, judged)
    return undefined
  }
}

function prepareRetry(
  run: RunState,
  { answer, known, verdict, message }: Received,
  { report, toCorrect, rejected = answer.text }: Judged,
): Retry {
  const { contract, released } = run
  const { askAgain } = contract.policy
  // What a repair can correct at no cost is not asked for again.
  const issues = toCorrect ?? errorsOf(known ? { issues: known } : report)
  const schemas = schemaFeedback(contract, issues, run)
  const text = feedbackFor(contract, issues, released, schemas)
  if (run.traced) run.trace({ run: run.name, at: run.elapsed, type: 'feedback-sent', attempt: run.attempts, feedback: text })
  const { toolCalls } = answer
  // Without an answer to show, the feedback would follow the turn of the user, and many models refuse a second one.
  const isSilent = rejected.trim() === '' && toolCalls.length === 0 && endsWithUser(run.prompt)
  // What has been shown can only be continued, and for that the model must see it.
  const isAnew = (askAgain === 'anew' || isSilent) && released === ''
  const ended = verdict === undefined && !isCutShort(answer.finishReason)
  if (isAnew) return { feedback: text, rejected, ended, anew: askAnew(run.prompt, text) }
  if (toolCalls.length === 0) return { feedback: text, rejected, ended }
  const { tools } = run.context
  // Providers refuse calls in a conversation without tools.
  if (Array.isArray(tools) && tools.length === 0) return { feedback: text, rejected, ended, callsInWords: inWords(toolCalls) }
  const rejectedCalls = { ...feedbackOnCalls(contract, toolCalls, issues, released, schemas), message }
  return { feedback: text, rejected, ended, rejectedCalls }
}

function streamRules(run: RunState, release: StreamRules['release']): StreamRules {
  const { policy } = run.contract
  const { repair: order, retries, unresolved, budget } = policy
  const lastAttempt = run.attempts >= retries
  const stops = stopsEarly(policy)
  // The cost of a call is known at its end; and where nothing is stopped, early doom is irrelevant.
  const mayBeLast = lastAttempt || run.counts || budget.attempts !== undefined || !stops
  const repairs = order === 'first' || (order === 'last' && lastAttempt)
  return { release, stops, repairs, mayBeLast, restarts: unresolved === 'deliver' }
}

/** An answer that was rejected while the model could still be asked again. */
interface Rejected {
  readonly attempt: number
  readonly answer: Answer
  /** What was found to be wrong with it. */
  readonly found: Report
}

/** Whether a rejected answer is worth keeping: it is complete, and the contract knows a repair for it or delivers it as it is. */
function mayServe(run: RunState, { verdict }: Received, { found }: Judged): boolean {
  const { policy } = run.contract
  return verdict === undefined && (policy.unresolved === 'deliver' || mayRepair(policy, found))
}

/** The latest of these answers that the contract delivers, once it is repaired where it can be; never one that contradicts what was shown. */
async function bestSoFar(run: RunState, rejected: readonly Rejected[]): Promise<(SettledAnswer & Pick<Rejected, 'attempt'>) | undefined> {
  const { contract, context, ports, clock, executor, released, caller } = run
  // The deadline may have passed already; only the caller can end this early.
  const options = { context, ports, clock, executor, ...(caller ? { signal: caller } : {}), protect: released.length }
  for (const one of rejected.toReversed()) {
    if (!one.answer.text.startsWith(released)) continue
    const settled = mayRepair(contract.policy, one.found) ? await settleAnswer(contract, one.answer, options) : unchanged(one)
    if (caller?.aborted) return undefined
    if (settled.decision.action === 'deliver') return { ...settled, attempt: one.attempt }
  }
  return undefined
}

function mayRepair({ repair }: Policy, { repairable }: Report): boolean {
  return repairable && repair !== 'never'
}

/** An answer that is delivered as it was judged: another check could only know less. */
function unchanged({ answer, found }: Rejected): SettledAnswer {
  const decision = { action: 'deliver', reason: 'no-retries-left' } as const
  return { found, decision, kept: { answer, report: found, certificates: [], fixed: [] } }
}
