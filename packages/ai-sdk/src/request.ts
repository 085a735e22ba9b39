import type { EnforceOptions } from '@stickler/core'
import { contentText, type Fields, requestContract, type Terms, wantsValue } from '@stickler/core/internal'
import type { Params, ToolLike } from './model.ts'

/** What a run is given of a request; the prompt itself is never looked into. */
export function readRequest(params: Params, { contract, options }: Terms): Omit<EnforceOptions, 'runner'> {
  const { prompt, tools = [], toolChoice, responseFormat, abortSignal: signal } = params
  const { echoLimit: _, context, ...others } = options
  const offered = tools.flatMap(offeredAs)
  const format = responseFormat?.type === 'json' ? { type: 'json_schema', schema: responseFormat.schema } : undefined
  const asked = { tools: offered, tool_choice: toolChoice, response_format: format }
  return {
    ...others,
    contract: requestContract(contract, asked),
    prompt,
    context: { ...contextOf(params, asked), ...context },
    ...(signal && { signal }),
  }
}

/** Facts of the request that validators read. */
function contextOf({ prompt, toolChoice }: Params, asked: Fields): Fields {
  return {
    question: contentText(prompt.findLast(({ role }) => role === 'user')?.content),
    tools: asked.tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(wantsValue(asked) ? { deliver: 'value' } : {}),
  }
}

/** What the provider defines has no schema here, and may take an object or free text. */
function offeredAs(tool: ToolLike): readonly object[] {
  if (tool.type === 'function') return [tool]
  return ['function', 'custom'].map((type) => ({ type, name: tool.name }))
}
