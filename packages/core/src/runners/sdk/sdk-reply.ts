import { readAnswer, UnreadableAnswerError } from '../../answer/read-answer.ts'
import { type Fields, field, isFields } from '../../answer/tool-shapes/fields.ts'
import { innerMessage } from '../../answer/tool-shapes/locate.ts'
import { isThought } from '../../apis/messages/request/read-part.ts'
import { errorObjectFailure } from '../../apis/shared/provider-error.ts'
import { tokensOf, usageBy } from '../../apis/shared/usage.ts'
import type { Wire } from '../../apis/shared/wire.ts'
import type { Message, ModelEvent, Usage } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { neededBack } from '../conversation.ts'
import { endEvent } from '../end-event.ts'
import { AnswerView } from '../wire-answer.ts'

/** Reads a whole response of any client: its text, its calls, and how it ended. */
export function* readResponse(response: unknown, session: string | undefined): Generator<ModelEvent> {
  const { text, toolCalls, finishReason, unread } = readable(response)
  const [choice] = isFields(response) && Array.isArray(response.choices) ? response.choices : []
  for (const holder of [response, choice]) {
    const failure = isFields(holder) ? errorObjectFailure(holder) : undefined
    if (failure !== undefined) throw failure
  }
  if (text !== '') yield { type: 'text', text }
  // Their APIs always say why an answer ended; an object that leaves it out may be of the program's own making.
  const isEndless = finishReason === undefined && (field(choice, 'finish_reason') === null || field(response, 'stop_reason') === null)
  const finishMissing = isEndless ? 'unexpected' : undefined
  const message = replied(response)
  yield endEvent({
    session,
    toolCalls,
    message,
    finishReason,
    finishMissing,
    unread,
    usage: isFields(response) ? usageIn(response) : undefined,
  })
}

/** What of a response must come back beside its calls, with the API whose messages its function takes, where that is not chat completions. */
function replied(response: unknown): Fields | undefined {
  const { type, content, object, toolCalls } = isFields(response) ? response : {}
  if (type === 'message' && Array.isArray(content)) return { api: 'messages', thinking_blocks: content.filter(isFields).filter(isThought) }
  if (object === 'response') return { api: 'responses' }
  if (Array.isArray(toolCalls) && field(toolCalls[0], 'toolName') !== undefined) return { api: 'ai-sdk', parts: content ?? toolCalls }
  const { value } = innerMessage(response)
  return isFields(value) ? neededBack(value) : undefined
}

/** Added turns in the words of the API that a function has answered in. */
export async function turnsFor({ api, parts }: Fields, turns: readonly Message[]): Promise<readonly Message[]> {
  switch (api) {
    case 'messages':
      return (await import('../../apis/messages/request/messages-turns.ts')).messagesTurns(turns)
    case 'responses':
      return (await import('../../apis/responses/request/input-items.ts')).inputItems(turns) as readonly unknown[] as readonly Message[]
    case 'ai-sdk':
      return (await import('./sdk-turns.ts')).sdkTurns(turns, Array.isArray(parts) ? parts.filter(isFields) : [])
    default:
      return turns
  }
}

function readable(response: unknown): ReturnType<typeof readAnswer> {
  try {
    return readAnswer(response)
  } catch (thrown) {
    if (!(thrown instanceof UnreadableAnswerError)) throw thrown
    throw new RunnerFailure('crash', `the function returned ${kindOf(response)} that is neither text nor a response: ${thrown.message}`)
  }
}

/** Reads the events that the client of a provider streams, as they come. */
export class EventReply {
  readonly #view = new AnswerView({})
  readonly #reader: ReturnType<Wire['readStream']>
  readonly #api: string

  private constructor(wire: Wire) {
    this.#api = wire.api
    this.#reader = wire.readStream(this.#view)
  }

  /** Begins with the first event, which says whose it is. */
  static async begin(first: unknown): Promise<EventReply> {
    return new EventReply(await wireOf(first))
  }

  *take(event: unknown): Generator<ModelEvent> {
    if (!isFields(event)) throw unknownPiece(event)
    this.#reader.take(typeof event.type === 'string' ? event.type : '', JSON.stringify(event))
    yield* this.#events()
  }

  *end(): Generator<ModelEvent> {
    if (!this.#reader.finished) throw new RunnerFailure('connection', 'the stream ended before the answer did', { isMidway: true })
    this.#reader.end()
    yield* this.#events()
  }

  *#events(): Generator<ModelEvent> {
    for (const event of this.#view.events())
      yield event.type === 'end' && event.toolCalls ? { ...event, message: { ...event.message, api: this.#api } } : event
  }
}

/** Loaded when an event needs it: most functions return text. */
async function wireOf(event: unknown): Promise<Wire> {
  if (isFields(event)) {
    const type = typeof event.type === 'string' ? event.type : ''
    if (Array.isArray(event.choices)) return (await import('../../apis/chat/chat-wire.ts')).chatWire
    if (type.startsWith('response.')) return (await import('../../apis/responses/responses-wire.ts')).responsesWire
    if (type === 'message_start' || type === 'ping') return (await import('../../apis/messages/messages-wire.ts')).messagesWire
  }
  throw unknownPiece(event)
}

function unknownPiece(piece: unknown): RunnerFailure {
  const message = `the function streamed ${kindOf(piece)} that is neither text nor an event of a known API; of the AI SDK return \`textStream\``
  return new RunnerFailure('crash', message)
}

function kindOf(value: unknown): string {
  return value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a value of type ${typeof value}`
}

const prompts = ['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokenCount', 'promptTokens']
const completions = ['completion_tokens', 'output_tokens', 'outputTokens', 'candidatesTokenCount', 'completionTokens']

/** The tokens that a response reports, by the names of OpenAI, Anthropic, the AI SDK, LangChain and Gemini. */
function usageIn(response: Fields): Usage | undefined {
  const usage = ['totalUsage', 'usage', 'usage_metadata', 'usageMetadata'].map((name) => response[name]).find(isFields)
  if (usage === undefined) return undefined
  const first = (names: readonly string[]): unknown =>
    names.map((name) => usage[name]).find((value) => value !== undefined && value !== null)
  // Anthropic counts cached tokens beside the others, LangChain and the AI SDK have them included.
  const beside = response.type === 'message' ? ['cache_read_input_tokens', 'cache_creation_input_tokens'] : []
  return usageBy(
    first(prompts),
    first(completions),
    beside.reduce((sum, name) => sum + (tokensOf(usage[name]) ?? 0), 0),
  )
}
