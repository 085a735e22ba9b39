import type { FinishMissing } from '../answer/finish-reason.ts'
import type { ToolCall } from '../answer/tool-calls.ts'
import type { Fields } from '../answer/tool-shapes/fields.ts'
import type { AnswerFormat } from '../contract/configuration/answer-format.ts'
import type { RunnerFailure } from './runner-failure.ts'
import type { StopSignal } from './stop.ts'

/** One message of a conversation, in the shape of chat completions; further fields, such as `tool_call_id`, travel along. */
export interface Message {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | (string & {})
  /** A text, or parts such as `{ type: 'text', text }` and images; absent or null in a message that only calls tools. */
  readonly content?: string | readonly unknown[] | null
  readonly [field: string]: unknown
}

/** A message of another library, whose type names no further fields. */
export interface OtherMessage {
  readonly role: string
  readonly content?: string | readonly unknown[] | null | undefined
}

/** What a model is asked: a text, or a conversation, also one of OpenAI's, Anthropic's or the AI SDK's messages. */
export type Prompt = string | readonly (Message | OtherMessage)[]

/** The cost of calls, as far as the provider reports it. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** In the currency of the runner's price list; absent when no price is known. */
  readonly cost?: number
  /** Whether some of it was estimated. */
  readonly estimated?: true
}

/** Why a model stopped, in the provider's own word. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | (string & {})

/** What a model sends: pieces of text, then the end. */
export type ModelEvent =
  | {
      readonly type: 'text'
      readonly text: string
      /** Its parts, when several came at once: each is judged and shown by itself, so that nothing depends on how reads are cut. */
      readonly parts?: readonly string[]
    }
  | {
      readonly type: 'end'
      /** The session that the next call continues, when the runner keeps sessions. */
      readonly session?: string
      readonly finishReason?: FinishReason
      /** Set when a provider ended the answer without a finish reason; a runner without finish reasons leaves both out. */
      readonly finishMissing?: FinishMissing
      /** What the answer holds that no validator can read, such as `audio`: it is `unchecked`, and may have no text. */
      readonly unread?: string
      /** Set when a provider has said that the answer is complete: then one without text and calls is an empty answer, not a failure. */
      readonly isSaid?: true
      readonly usage?: Usage
      readonly toolCalls?: readonly ToolCall[]
      /** What a retry that shows the model these calls again must give back beside them, such as the reasoning that some models need there. */
      readonly message?: Fields
    }

/** Reads events one by one, without a promise for each of them where that is offered. */
export interface EventIterator<Event> extends AsyncIterator<Event> {
  /** Gives to `take` or `fail` what `next` settles with, perhaps at once; within a call of `take`, after that has returned. Neither may throw. */
  nextInto?(take: (result: IteratorResult<Event>) => void, fail: (error: unknown) => void): void
}

/** What a model sends, piece by piece, or all at once where that is offered. */
export interface ModelEvents extends AsyncIterable<ModelEvent> {
  [Symbol.asyncIterator](): EventIterator<ModelEvent>
  /** All events together, in place of reading them one by one. */
  whole?(): readonly ModelEvent[] | PromiseLike<readonly ModelEvent[]>
  /** The cost of the call so far, when its end does not report it; estimated by the engine when absent. */
  usage?(): Usage
}

/** What every call of a model is given. */
export interface CallOptions {
  /** Aborts the call; no timer, process or request may outlive it. */
  readonly signal: AbortSignal
  /** Says the same and costs less to listen to, since `signal` is made when it is first asked for. */
  readonly stop?: StopSignal
  /** Whether text should come in pieces as it is made. */
  readonly stream: boolean
  /** Milliseconds left for this call, when there is a deadline. */
  readonly timeLeftMs?: number
  /** Called when a call that failed is made again, before anything of an answer has come; present where that is traced. */
  readonly onRepeat?: (failure: RunnerFailure) => void
  /** The schema that the contract tells the model; only for runners that take it, others find it in the prompt. */
  readonly format?: AnswerFormat
}

/** What a retry is given beside the feedback, for runners that keep no sessions. */
export interface ContinueOptions extends CallOptions {
  /** What was asked at first. */
  readonly original: Prompt
  /** The answer that was not good enough. */
  readonly rejected: string
  /** The calls that were not good enough, with the feedback in its parts; absent for an answer without calls. */
  readonly rejectedCalls?:
    | {
        /** In the model's order, each with what to tell the model in the place of its result. */
        readonly calls: readonly (ToolCall & { readonly error: string })[]
        /** The feedback that belongs to none of them; empty without any. */
        readonly rest: string
        /** That of the end event. */
        readonly message?: Fields | undefined
      }
    | undefined
}

/** The calls of a rejected answer. */
export type RejectedCalls = NonNullable<ContinueOptions['rejectedCalls']>

/** The port that talks to a model. A call that fails throws a RunnerFailure. */
export interface Runner {
  /** Set when it sends the `format` of a call to the model, in the provider's own way or in the prompt. */
  readonly takesSchema?: true | undefined
  /** The schema that every request has already, in place of the contract's: none is added then. */
  readonly ownSchema?: Readonly<Record<string, unknown>> | undefined
  /** Asks for the first time. */
  run(session: string | undefined, prompt: Prompt, options: CallOptions): ModelEvents
  /** Asks again with feedback, in the session that the last call returned. */
  continue(session: string | undefined, feedback: string, options: ContinueOptions): ModelEvents
}
