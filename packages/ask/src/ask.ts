import { systemClock } from '@stickler/core/internal'
import { readCostLimits } from '@stickler/presets/internal'
import { memoryAudit } from './audit/memory-audit.ts'
import { memoryCache } from './cache/memory-cache.ts'
import type { AskStep } from './providers/ask-step.ts'
import { leftReply } from './providers/left.ts'
import { refusalOf, runAsk } from './providers/run-ask.ts'
import type { AskRequest } from './question/request.ts'
import { lastFrame, stepFrame } from './reply/frames.ts'
import type { AskRefused, AskReply } from './reply/reply.ts'
import type { AskDependencies, AskSettings } from './settings.ts'
import { memoryLedger, reservingLedger } from './spending/memory-ledger.ts'

/** The released text of an answer, and the reply at its end. */
export interface AskStream extends AsyncIterable<string> {
  /** Settles when the stream has been read to its end, or was abandoned. */
  readonly reply: Promise<AskReply>
}

/** Answers questions over sources, with citations that are checked. */
export interface AskService {
  /** Answers a question. */
  ask(request: AskRequest): Promise<AskReply>
  /** Like `ask`, but yields text as soon as it is released. */
  stream(request: AskRequest): AskStream
  /** Answers step by step: the sources once they are known, then text as it is released; text comes in pieces only when streaming. */
  steps(request: AskRequest, streaming: boolean): AsyncGenerator<AskStep, AskReply>
  /** The stream as server-sent events: sources, text, and one last frame. */
  frames(request: AskRequest): AsyncGenerator<string, AskReply>
  /** Why no provider would be called: the question is invalid or too large. */
  refusal(request: AskRequest): AskRefused | undefined
}

/**
 * Opens a service that answers questions; in-memory state lives as long as it. Throws a
 * ConfigurationError for invalid limits.
 */
export function openAsk(settings: AskSettings): AskService {
  const { today = Date.now, clock = systemClock, ledger = memoryLedger() } = settings
  const dependencies: AskDependencies = {
    providers: settings.providers,
    limits: readCostLimits(settings.limits ?? {}, ['limits']),
    caching: settings.caching ?? { enabled: false },
    live: settings.live,
    keep: settings.keep ?? {},
    answers: settings.answers ?? memoryCache(() => clock.now()),
    audit: settings.audit ?? memoryAudit(),
    ledger: 'hold' in ledger ? ledger : reservingLedger(ledger, today, settings.reserved ?? new Map()),
    clock,
    today,
    onEvent: settings.onEvent,
    executor: settings.executor,
    pipeline: settings.pipeline,
  }
  return {
    async ask(request) {
      const steps = runAsk(request, dependencies, false)
      for (;;) {
        const step = await steps.next()
        if (step.done) return step.value
      }
    },
    stream: (request) => replied(runAsk(request, dependencies, true)),
    steps: (request, streaming) => runAsk(request, dependencies, streaming),
    frames: (request) => framed(request, dependencies),
    refusal: (request) => refusalOf(request, dependencies),
  }
}

/** Answers one question; nothing is stored, unless ports are passed in. */
export function ask(options: AskRequest & AskSettings): Promise<AskReply> {
  return openAsk(options).ask(options)
}

function replied(steps: AsyncGenerator<AskStep, AskReply>): AskStream {
  let settle = (_reply: AskReply): void => {}
  let fail = (_error: unknown): void => {}
  const reply = new Promise<AskReply>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // A caller that only reads the text must not get an unhandled rejection.
  reply.catch(() => {})
  async function* read(): AsyncGenerator<string> {
    let left: AskReply = leftReply
    try {
      for (;;) {
        const step = await steps.next()
        if (step.done) {
          left = step.value
          return
        }
        if (typeof step.value === 'string') yield step.value
      }
    } catch (error) {
      fail(error)
      throw error
    } finally {
      // Also when the caller stops reading.
      await steps.return(leftReply)
      settle(left)
    }
  }
  return { reply, [Symbol.asyncIterator]: read }
}

async function* framed(request: AskRequest, dependencies: AskDependencies): AsyncGenerator<string, AskReply> {
  const steps = runAsk(request, dependencies, true)
  try {
    for (;;) {
      const step = await steps.next()
      if (!step.done) {
        yield stepFrame(step.value)
        continue
      }
      yield lastFrame(step.value)
      return step.value
    }
  } finally {
    // Also when the caller stops reading.
    await steps.return(leftReply)
  }
}
