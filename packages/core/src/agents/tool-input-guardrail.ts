import { isFields } from '../answer/tool-shapes/fields.ts'
import type { Contract } from '../contract/contract.ts'
import { errorsOf } from '../engine/check/report.ts'
import { feedbackFor } from '../engine/feedback/validator-feedback.ts'
import { withSoundCalls } from '../relay/sound-calls.ts'
import { checkGuardrailOptions, type GuardrailOptions, type GuardrailVerdict, judgeCall } from './verdict.ts'

/** What a guardrail does with a call: the tool runs, or the model gets a message in place of its output. */
export type ToolInputBehavior = { readonly type: 'allow' } | { readonly type: 'rejectContent'; readonly message: string }

/** One of the `inputGuardrails` of a tool of OpenAI Agents. */
export interface ToolInputGuardrail {
  readonly type: 'tool_input'
  readonly name: string
  run(given: {
    readonly toolCall: { readonly name: string; readonly arguments: string; readonly callId?: string }
    readonly agent?: { readonly tools?: readonly unknown[] }
  }): Promise<{ behavior: ToolInputBehavior; outputInfo: GuardrailVerdict }>
}

/** Makes a guardrail for tools of OpenAI Agents: a call that breaks the contract is not carried out, and the model gets the feedback as its output. */
export function toolInputGuardrail(contract: Contract, options: GuardrailOptions = {}): ToolInputGuardrail {
  checkGuardrailOptions(contract, options)
  const sound = withSoundCalls(contract)
  return {
    type: 'tool_input',
    name: options.name ?? 'stickler',
    async run({ toolCall, agent }) {
      const { name, arguments: given, callId } = toolCall
      const call = { name, arguments: given, ...(callId !== undefined && { id: callId }) }
      const context = { tools: toolsOf(agent?.tools, name), ...options.context }
      const { verdict, isStopped } = await judgeCall(sound, call, { ...options, context })
      const behavior: ToolInputBehavior = isStopped ? { type: 'rejectContent', message: feedback(sound, verdict) } : { type: 'allow' }
      return { behavior, outputInfo: verdict }
    },
  }
}

/** The tools of an agent as they were offered; one that the agent does not list, such as one of an MCP server, has no known schema. */
function toolsOf(tools: readonly unknown[] = [], called: string): readonly object[] {
  const offered = tools.flatMap((tool) =>
    isFields(tool) && typeof tool.name === 'string' && isFields(tool.parameters)
      ? [{ type: 'function', function: { name: tool.name, parameters: tool.parameters } }]
      : [],
  )
  return offered.some((tool) => tool.function.name === called) ? offered : [...offered, { type: 'function', function: { name: called } }]
}

function feedback(contract: Contract, { issues, unchecked }: GuardrailVerdict): string {
  const errors = errorsOf({ issues })
  if (errors.length > 0) return feedbackFor(contract, errors)
  return `The call could not be checked and was not carried out: ${unchecked.map(({ message }) => message).join('; ')}`
}
