import type { FinishMissing } from '../../answer/finish-reason.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import type { WireReference } from './references.ts'

/** An event of one choice of an answer. */
export type ChoiceEvent =
  /** `parts` if several texts arrived together. */
  | { readonly type: 'text'; readonly text: string; readonly parts?: readonly string[] }
  /** Fields of a delta that are neither text nor tool calls, such as `reasoning_content` or `refusal`. */
  | { readonly type: 'fields'; readonly fields: Readonly<Record<string, unknown>> }
  /** Log probabilities of tokens, as the provider sent them: `{ content: [...] }`. */
  | { readonly type: 'logprobs'; readonly logprobs: unknown }
  | ChoiceEnd

/** The end of a choice. */
export interface ChoiceEnd {
  readonly type: 'end'
  /** The provider's own finish reason. */
  readonly finishReason?: string
  /** Set if the provider ended the choice without a finish reason, and it is not a refusal. */
  readonly finishMissing?: FinishMissing
  /** Content of the choice that no validator can read. */
  readonly unread?: string
  /** Set if the finish reason is one of the Messages API; otherwise it is one of chat completions. */
  readonly wire?: 'messages'
  readonly toolCalls: readonly ToolCall[]
  /** The numbers of the calls among the checked parts, if they differ from their order: calls may arrive in another order. */
  readonly callNumbers?: readonly number[]
  /** Whether the model refused to answer. */
  readonly refused: boolean
  /** The whole message, in the format of chat completions, with all fields of the provider, text and tool calls. */
  readonly message: Readonly<Record<string, unknown>>
  /** References in the provider's own format that `message` does not have. */
  readonly references?: readonly WireReference[]
  /** Fields of the choice beside `message`, `index` and `finish_reason`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Takes the events of the choices of an answer, each with the number of its choice. */
export type See = (choice: number, event: ChoiceEvent) => void
