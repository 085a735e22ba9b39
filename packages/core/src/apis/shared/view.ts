import type { FinishMissing } from '../../answer/finish-reason.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import type { WireReference } from './references.ts'

/** What one choice of an answer brings, in its order. */
export type ChoiceEvent =
  /** `parts` when several texts came at once. */
  | { readonly type: 'text'; readonly text: string; readonly parts?: readonly string[] }
  /** Fields of a delta that are neither text nor tool calls, such as `reasoning_content` or `refusal`. */
  | { readonly type: 'fields'; readonly fields: Readonly<Record<string, unknown>> }
  /** Log probabilities of tokens, as the provider sent them: `{ content: [...] }`. */
  | { readonly type: 'logprobs'; readonly logprobs: unknown }
  | ChoiceEnd

/** The end of a choice. */
export interface ChoiceEnd {
  readonly type: 'end'
  /** The provider's own word. */
  readonly finishReason?: string
  /** Set when the provider ended the choice without a word, and it is not a refusal. */
  readonly finishMissing?: FinishMissing
  /** What the choice holds that no validator can read. */
  readonly unread?: string
  /** Set when the word is one of the Messages API; otherwise it is one of chat completions. */
  readonly wire?: 'messages'
  readonly toolCalls: readonly ToolCall[]
  /** The number that judged parts give each of the calls, where that is not its position: calls may come in another order than they have. */
  readonly callNumbers?: readonly number[]
  /** Whether the model refused to answer. */
  readonly refused: boolean
  /** The message as a whole, in the shape of chat completions, with all fields of the provider; text and tool calls included. */
  readonly message: Readonly<Record<string, unknown>>
  /** References to elsewhere that the provider's own words hold and `message` does not. */
  readonly references?: readonly WireReference[]
  /** Fields of the choice beside `message`, `index` and `finish_reason`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Takes the events of the choices of an answer, each with the number of its choice. */
export type See = (choice: number, event: ChoiceEvent) => void
