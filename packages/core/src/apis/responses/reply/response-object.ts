import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { idStem } from '../../reply/reply-ids.ts'
import type { ClientRequest, ReplyFrame } from '../../shared/api.ts'
import type { ResponseEnd } from '../response-status.ts'

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
