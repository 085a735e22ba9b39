import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { finishKind } from '../../reply/finish-reason.ts'
import { refusalOf } from '../../reply/reasoning.ts'
import { idStem } from '../../reply/reply-ids.ts'
import { tokenCounts } from '../../reply/token-counts.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame } from '../../shared/api.ts'

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
export function responseEnd(choice: FinalChoice | undefined): ResponseEnd & { readonly status: 'completed' | 'incomplete' } {
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

/** The response object, which repeats the parameters of the request. */
export function responseObject({ body }: ClientRequest, frame: ReplyFrame, end: ResponseEnd, output: readonly Fields[]): Fields {
  const { status, incomplete_details, told } = end
  return {
    id: `resp_${idStem(frame.id)}`,
    object: 'response',
    created_at: frame.created,
    ...(told === false ? {} : { status }),
    incomplete_details,
    background: false,
    error: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: frame.model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    service_tier: frame.fields.service_tier ?? null,
    store: false,
    temperature: body.temperature ?? null,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? null,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  }
}

/** The usage of a response; null when none was reported. */
export function responseUsage(reply: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields | null {
  if (reply.usage === undefined && reply.rawUsage === undefined) return null
  const { prompt, completion, cacheRead, reasoning } = tokenCounts(reply)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + completion,
  }
}
