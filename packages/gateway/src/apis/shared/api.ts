import type { Certificate, Failure, Issue, Status, ToolCall, Usage } from '@stickler/core'
import type { ChoiceEnd, Wire } from '@stickler/core/wire'
import type { PipelineVerdict } from '../../enforcement/preparing/pipeline-verdict.ts'
import type { ClientError } from '../../front/replies/client-error.ts'
import type { HttpError } from '../../front/replies/http-error.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import type { ApiName } from '../../records/run/run-record.ts'
import type { ChatRequest } from '../../upstreams/upstream.ts'

/** A request of a client, read and translated. */
export interface ClientRequest {
  /** What the upstream is asked, with the model as the client named it. */
  readonly chat: ChatRequest
  /** Whether the client wants a stream. */
  readonly stream: boolean
  /** Whether the client wants usage at the end of a stream. */
  readonly includeUsage: boolean
  /** The body as the client sent it, for what a reply must repeat. */
  readonly body: Readonly<Record<string, unknown>>
  /** Names of fields that the translation leaves out without changing what the request means. */
  readonly dropped?: readonly string[]
  /** Why the request cannot be translated; an upstream that speaks the client's API may still be asked. */
  readonly refused?: HttpError
}

/** What Stickler says about an answer, beside it. */
export interface Verdict {
  /** `unenforced` when there was no contract. */
  readonly status: Status | 'unenforced'
  readonly contract: string
  readonly attempts: number
  /** What remains. */
  readonly issues: readonly Issue[]
  /** What was wrong and has been repaired. */
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  readonly unchecked: readonly string[]
  /** Why an earlier answer was delivered: the call for a better one failed. */
  readonly failure?: Pick<Failure, 'kind' | 'status'>
  /** The verdict in the words that the contract's preset declares. */
  readonly validationStatus?: string
  /** Set on routes with a pipeline. */
  readonly pipeline?: PipelineVerdict
}

/** One choice as it is delivered. */
export interface FinalChoice {
  readonly index: number
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** The provider's own word; null when it sent none. */
  readonly finishReason: string | null
  /** Set when that is a word of the Messages API; otherwise it is one of chat completions. */
  readonly wire?: ChoiceEnd['wire']
  /** The whole message in the shape of chat completions, with the provider's further fields, such as `reasoning_content`. */
  readonly message: Readonly<Record<string, unknown>>
  /** Further fields of the choice, such as `logprobs`. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly verdict: Verdict
}

/** What stands at the head of a reply. */
export interface ReplyFrame {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  /** The model as the client named it. */
  readonly model: string
  /** Further fields at the top, such as `system_fingerprint`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A whole reply. */
export interface FinalReply extends ReplyFrame {
  readonly choices: readonly FinalChoice[]
  /** Over all attempts; absent when no provider told any. */
  readonly usage?: Usage
  /** The provider's own usage object; where there were several, their sum. */
  readonly rawUsage?: Readonly<Record<string, unknown>>
  /** The worst of the choices' verdicts in declared words. */
  readonly validationStatus?: string
}

/** Writes a stream; every method returns complete SSE frames, or an empty string. */
export interface StreamEncoder {
  /** What stands at the beginning; called once, with the first text or fields, or at the end. */
  begin(frame: ReplyFrame): string
  text(choice: number, text: string, logprobs?: unknown): string
  /** Fields of a delta, such as `reasoning_content` or `annotations`. */
  fields(choice: number, fields: Readonly<Record<string, unknown>>): string
  /** The end of one choice, with its tool calls, which are sent here and not before. */
  end(choice: FinalChoice): string
  /** The end of the stream after all choices. */
  finish(reply: FinalReply): string
  /** An error in a running stream, and the end of it. */
  error(error: ClientError): string
  /** What is going on, for clients that show it. */
  progress(description: string, done: boolean): string
  /** The passages that an answer was made from, for clients that show them; absent where the API has no place for them. */
  sources?(sources: PipelineVerdict['sources']): string
  /** A sign of life while text is held back. */
  heartbeat(): string
}

/** One way in which clients speak. */
export interface Api {
  /** What it is called in records, metrics and spans. */
  readonly name: ApiName
  /** Where it is served. */
  readonly path: string
  /** Reads what only Anthropic understands; used where every upstream of a route is theirs. */
  readonly forAnthropic?: Api
  /** What its route takes and gives. */
  readonly description: () => RouteDescription
  /** Reads a body; throws an HttpError 400 that names the parameter when it cannot be right. */
  read(body: Readonly<Record<string, unknown>>): ClientRequest
  /** The body of a reply that is no stream, as JSON: what a model wrote as JSON stands in it to the last digit. */
  reply(request: ClientRequest, reply: FinalReply): string
  /** The usage of calls in the words of the API; absent where every request is translated. */
  usage?(used: Pick<FinalReply, 'usage' | 'rawUsage'>): Readonly<Record<string, unknown>> | null | undefined
  /** How the API looks on the wire, for upstreams that speak it; absent where every request is translated. */
  readonly wire?: Wire
  /** Members of a body that are never passed on. */
  readonly withheld?: ReadonlySet<string>
  /** Headers of clients that belong to the API and are passed on to upstreams that speak it. */
  readonly headers?: readonly string[]
  /** Starts writing a stream. */
  encoder(request: ClientRequest): StreamEncoder
  /** The body of an error. */
  errorBody(error: ClientError): Readonly<Record<string, unknown>>
}
