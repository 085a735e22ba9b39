import { refusalText } from '../answer/content.ts'
import type { ChoiceEnd, ChoiceEvent } from '../apis/shared/choice-event.ts'
import { parseReply } from '../apis/shared/parse-reply.ts'
import { protocolFailure } from '../apis/shared/provider-error.ts'
import { type Price, priced } from '../apis/shared/usage.ts'
import type { Wire, WireListener, WireReader } from '../apis/shared/wire.ts'
import { refusal } from '../engine/check/unreadable-content.ts'
import type { ModelEvent, Usage } from '../engine/runner.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import type { BodyReader } from './body-reader.ts'
import { neededBack } from './conversation.ts'
import { endEvent, inOnePiece } from './end-event.ts'
import { SseParser } from './sse.ts'

/** How answers of a provider are read. */
export interface ReplySettings {
  readonly price?: Price | undefined
  /** Whether the provider sends a finish reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes' | undefined
}

/** How long to wait for the end of a connection after the last event. */
const settleMs = 50

/** How much of the beginning is kept, to show what came in place of a stream. */
const headLength = 300

/** Reads an answer; providers may answer in the other way than they were asked, so the content type decides where it is clear. */
export async function* readAnswer(
  wire: Wire,
  body: BodyReader,
  { contentType, stream }: { readonly contentType: string; readonly stream: boolean },
  settings: ReplySettings,
): AsyncGenerator<ModelEvent> {
  const isStream = /event-stream/i.test(contentType) || (stream && !/json|html/i.test(contentType))
  if (!isStream) yield* readWhole(wire, await body.text(), settings)
  else if (stream) yield* readStream(wire, body, settings)
  else yield* inOnePiece(readStream(wire, body, settings))
}

function* readWhole(wire: Wire, body: string, settings: ReplySettings): Generator<ModelEvent> {
  const view = new AnswerView(settings)
  wire.readWhole(body, view)
  yield* view.events()
}

async function* readStream(wire: Wire, body: BodyReader, settings: ReplySettings): AsyncGenerator<ModelEvent> {
  const view = new AnswerView(settings)
  const reader = wire.readStream(view)
  const parser = new SseParser()
  const beginning = new TextDecoder()
  let head = ''
  let isDone = false
  for (;;) {
    const bytes = await readOn(body, reader)
    if (head.length < headLength) head += beginning.decode(bytes?.subarray(0, headLength), { stream: true })
    for (const { event, data } of bytes === undefined ? parser.end() : parser.push(bytes)) {
      isDone ||= takeEvent(reader, event, data.trim(), bytes === undefined)
      yield* view.events()
      if (isDone) break
    }
    if (bytes === undefined || isDone) break
  }
  if (!isDone && !reader.finished) throw endedEarly(head)
  if (isDone) await body.settle(settleMs)
  reader.end()
  yield* view.events()
}

/** True when the event is the last one. */
function takeEvent(reader: WireReader, name: string, data: string, isCutOff: boolean): boolean {
  if (data === '[DONE]') return true
  // The last event may be cut off; that the answer is incomplete is noticed by what is missing.
  if (data === '' || (isCutOff && parseReply(data) === undefined)) return false
  return reader.take(name, data).isLast === true
}

/** Once the model has said that it is done, a connection that breaks or falls silent takes nothing away. */
async function readOn(body: BodyReader, reader: WireReader): Promise<Uint8Array | undefined> {
  try {
    return await body.read()
  } catch (thrown) {
    if (reader.finished && thrown instanceof RunnerFailure && (thrown.kind === 'connection' || thrown.kind === 'timeout')) return undefined
    throw thrown
  }
}

function endedEarly(head: string): RunnerFailure {
  const isStream = head.length < 'retry:'.length || /^\s*(?::|data|event|id|retry)/.test(head)
  if (!isStream) return protocolFailure('the response is not an event stream', head)
  return new RunnerFailure('connection', 'the stream ended before the answer did', { isMidway: true })
}

/** What runners see of an answer: its text, and how it ended. */
export class AnswerView implements WireListener {
  readonly count = 1
  /** The caller checks the answer. */
  readonly isGuarded = true
  readonly alwaysEnds: boolean
  readonly #price: Price | undefined
  #waiting: ChoiceEvent[] = []
  #usage: Usage | undefined
  #hasText = false

  constructor({ price, finishReasons }: ReplySettings) {
    this.#price = price
    this.alwaysEnds = finishReasons !== 'sometimes'
  }

  readonly see: WireListener['see'] = (choice, event) => {
    if (choice === 0) this.#waiting.push(event)
  }

  head({ usage }: Parameters<WireListener['head']>[0]): void {
    if (usage !== undefined) this.#usage = priced(usage, this.#price)
  }

  receive(): void {}

  *events(): Generator<ModelEvent> {
    const events = this.#waiting
    this.#waiting = []
    for (const event of events) {
      if (event.type === 'text') {
        this.#hasText = true
        yield { type: 'text', text: event.text }
      }
      if (event.type === 'end') yield* answerEnd(event, this.#hasText, this.#usage)
    }
  }
}

/** The end of an answer as runners report it; a refusal becomes its text. */
export function* answerEnd(
  { finishReason, finishMissing, unread, toolCalls, refused, message }: ChoiceEnd,
  hasText: boolean,
  usage: Usage | undefined,
): Generator<ModelEvent> {
  const words = hasText ? '' : refusalText(message)
  if (words !== '') yield { type: 'text', text: words }
  yield endEvent({
    // Providers end a refusal like any other answer; callers of a runner are informed.
    ...(refused ? { finishReason: 'refusal' } : { finishReason, finishMissing }),
    unread: unread === refusal && words !== '' ? undefined : unread,
    toolCalls,
    message: neededBack(message),
    usage,
  })
}
