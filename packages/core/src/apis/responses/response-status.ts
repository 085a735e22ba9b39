import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { refusalOf } from '../reply/reasoning-fields.ts'
import type { FinalChoice } from '../shared/api.ts'
import { finishKind } from '../shared/choice-end.ts'

/** The finish reason of a response, as in chat completions; undefined without one. */
export function finishReasonOf({ status, incomplete_details: details }: Fields, { tool_calls: calls }: Fields): string | undefined {
  if (status === 'completed') return calls === undefined ? 'stop' : 'tool_calls'
  if (status !== 'incomplete') return undefined
  const reason = isFields(details) && typeof details.reason === 'string' ? details.reason : 'max_output_tokens'
  return reason === 'max_output_tokens' ? 'length' : reason
}

/** How a response ended. */
export interface ResponseEnd {
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: string } | null
  /** Whether the provider said so; otherwise the status is omitted. */
  readonly told?: false
}

/** A response that is still being written. */
export const inProgress: ResponseEnd = { status: 'in_progress', incomplete_details: null }

/** The end of a response with that choice. */
export function statusOf(choice: FinalChoice | undefined): ResponseEnd & { readonly status: 'completed' | 'incomplete' } {
  switch (choice && finishKind(choice)) {
    case 'length':
      return incomplete('max_output_tokens')
    case 'filter':
      return incomplete('content_filter')
    case 'refusal':
      return choice && refusalOf(choice.message) !== '' ? completed : incomplete('content_filter')
    case 'interrupted':
    case 'paused':
    case 'error':
    case 'unknown':
      return incomplete(choice?.finishReason ?? '')
    case 'missing':
      return { ...completed, told: false }
    default:
      return completed
  }
}

const completed = { status: 'completed', incomplete_details: null } as const

function incomplete(reason: string): ResponseEnd & { readonly status: 'incomplete' } {
  return { status: 'incomplete', incomplete_details: { reason } }
}
