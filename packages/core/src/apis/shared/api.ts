import type { z } from 'zod'
import type { ToolCall } from '../../answer/tool-calls.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Failure, Status, Usage } from '../../engine/outcome.ts'
import type { Message } from '../../engine/runner.ts'
import type { PipelineVerdict } from '../reply/pipeline-verdict.ts'
import type { ChoiceEnd } from './choice-event.ts'
import type { ClientError } from './client-error.ts'
import type { HttpError } from './http-error.ts'
import type { EventSink } from './sse-frames.ts'
import type { ApiName, Wire } from './wire.ts'

/** A request in the format of chat completions, which every protocol is translated to; unknown fields are kept. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly stream?: boolean
  /** Number of requested choices. */
  readonly n?: number
  readonly [field: string]: unknown
}

/** A request of a client, read and translated. */
export interface ClientRequest {
  /** The upstream request, with the model as the client named it. */
  readonly chat: ChatRequest
  /** Whether the client wants a stream. */
  readonly stream: boolean
  /** Whether the client wants usage at the end of a stream. */
  readonly includeUsage: boolean
  /** The body as the client sent it, for what a reply must repeat. */
  readonly body: Readonly<Record<string, unknown>>
  /** Fields that the translation drops without changing the meaning of the request. */
  readonly dropped?: readonly string[]
  /** Why the request cannot be translated; an upstream with the client's API can still be used. */
  readonly refused?: HttpError
}

/** The verdict on an answer, beside it. */
export interface Verdict {
  /** `unenforced` when there was no contract. */
  readonly status: Status | 'unenforced'
  readonly contract: string
  readonly attempts: number
  /** The remaining issues. */
  readonly issues: readonly Issue[]
  /** The issues that were repaired. */
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  readonly unchecked: readonly string[]
  /** Checks that do not apply to the request. */
  readonly skipped?: readonly string[]
  /** Whether the contract's fallback is delivered in place of an answer. */
  readonly fallback?: true
  /** Why an earlier answer was delivered: the call for a better one failed. */
  readonly failure?: Pick<Failure, 'kind' | 'status'>
  /** The verdict as the contract's preset names it. */
  readonly validationStatus?: string
  /** Set on routes with a pipeline. */
  readonly pipeline?: PipelineVerdict
}

/** One choice as it is delivered. */
export interface FinalChoice {
  readonly index: number
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** The provider's own finish reason; null when it sent none. */
  readonly finishReason: string | null
  /** Set when it is a Messages API reason; otherwise it is one of chat completions. */
  readonly wire?: ChoiceEnd['wire']
  /**
   * The whole message as in chat completions, with the provider's additional fields, such as
   * `reasoning_content`.
   */
  readonly message: Readonly<Record<string, unknown>>
  /** Additional fields of the choice, such as `logprobs`. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly verdict: Verdict
}

/** The head of a reply. */
export interface ReplyFrame {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  /** The model as the client named it. */
  readonly model: string
  /** Additional top-level fields, such as `system_fingerprint`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A whole reply. */
export interface FinalReply extends ReplyFrame {
  readonly choices: readonly FinalChoice[]
  /** Over all attempts; absent when no provider reported any. */
  readonly usage?: Usage
  /** The provider's own usage object; summed where there were several. */
  readonly rawUsage?: Readonly<Record<string, unknown>>
  /** The worst of the choices' verdicts, as the preset names it. */
  readonly validationStatus?: string
}

/** Writes the events of a stream in the client's API from the text that the engine releases; they go to its sink. */
export interface StreamEncoder {
  /** The start of a stream; called once, with the first text or fields, or at the end. */
  begin(frame: ReplyFrame): void
  text(choice: number, text: string, logprobs?: unknown): void
  /** Fields of a delta, such as `reasoning_content` or `annotations`. */
  fields(choice: number, fields: Readonly<Record<string, unknown>>): void
  /** The end of one choice, with its tool calls, which are not sent before. */
  end(choice: FinalChoice): void
  /** The end of the stream after all choices. */
  finish(reply: FinalReply): void
  /** An error in a running stream, which ends it. */
  error(error: ClientError): void
  /** Progress, for clients that show it; absent if the API has no field for it. */
  progress?(description: string, done: boolean): void
  /**
   * The passages of an answer, for clients that show them; absent where the API cannot carry them.
   */
  sources?(sources: PipelineVerdict['sources']): void
}

/** The OpenAPI description of the route of an API. */
export interface ApiDescription {
  /** One sentence in the imperative. */
  readonly summary: string
  /** Anything else callers should know. */
  readonly notes?: string
  readonly group: 'Models'
  /** The body by content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>
  /** The responses by status: their meaning, and their bodies by content type; for `text/event-stream`, the data of each event. */
  readonly replies: Readonly<Record<number, { readonly meaning: string; readonly content: Readonly<Record<string, z.ZodType>> }>>
  /** The body of its errors by content type; in OpenAI's format when absent. */
  readonly errors?: Readonly<Record<string, z.ZodType>>
  /** Schemas with names, so that others can reference them. */
  readonly names?: Readonly<Record<string, z.ZodType>>
}

/** Where the texts of a request are, for each API. */
export interface RequestTexts {
  /** Members of the body that are lists of messages or items. */
  readonly lists: readonly string[]
  /** Members that are read like a single message. */
  readonly singles: readonly string[]
  /** Members of a message or an item that may be lists of parts. */
  readonly parts: readonly string[]
  /** Types of parts that are text, or that are read as separate turns. */
  readonly readable: ReadonlySet<string>
  /** Members whose short values are only types or ids. */
  readonly marks: ReadonlySet<string>
  /** Whether a member of a part may be a file or audio as base64. */
  isFile(part: Readonly<Record<string, unknown>>, name: string): boolean
}

/** One client API. */
export interface Api {
  /** Its name in records, metrics and spans. */
  readonly name: ApiName
  /** Where it is served. */
  readonly path: string
  /** The OpenAPI description of its route; absent in ours, which `describeApi` has, because only hosts with routes need one. */
  readonly description?: () => ApiDescription
  /**
   * Reads a body; throws an HttpError 400 that names the invalid parameter. What only Anthropic
   * supports is kept where every upstream of a route is theirs.
   */
  read(body: Readonly<Record<string, unknown>>, isForAnthropic?: boolean): ClientRequest
  /**
   * The body of a non-streamed reply, as JSON: JSON that a model wrote is kept to the last digit.
   */
  reply(request: ClientRequest, reply: FinalReply): string
  /** The usage of calls in the API's format; absent where every request is translated. */
  usage?(used: Pick<FinalReply, 'usage' | 'rawUsage'>): Readonly<Record<string, unknown>> | null | undefined
  /** Where texts are that are sent unchanged; absent where every request is translated. */
  readonly texts?: RequestTexts
  /** The wire format, for upstreams with this API; absent where every request is translated. */
  readonly wire?: Wire
  /** Body fields that are never passed on. */
  readonly withheld?: ReadonlySet<string>
  /** Client headers of the API that are passed to upstreams with it. */
  readonly headers?: readonly string[]
  /** Starts a stream whose events go to a sink. */
  encoder(request: ClientRequest, out: EventSink): StreamEncoder
  /** The frame that keeps a stream alive while text is held back; a comment when absent. */
  readonly heartbeat?: string
  /** The body of an error. */
  errorBody(error: ClientError): Readonly<Record<string, unknown>>
}
