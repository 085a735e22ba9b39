import type { Contract } from '../contract/contract.ts'
import { checkGuardrailOptions, type GuardrailOptions, type GuardrailVerdict, judgeOutput } from './verdict.ts'

/** One of the `outputGuardrails` of an agent of OpenAI Agents. */
export interface OutputGuardrail {
  readonly name: string
  execute(given: { readonly agentOutput: unknown }): Promise<{ readonly tripwireTriggered: boolean; readonly outputInfo: GuardrailVerdict }>
}

/**
 * Makes a guardrail for agents of OpenAI Agents: a final output that breaks the contract ends the run with an error.
 *
 * A guardrail can neither change an output nor ask again, and in a stream it runs after the text was shown, so an output that a repair would correct is stopped too.
 */
export function outputGuardrail(contract: Contract, options: GuardrailOptions = {}): OutputGuardrail {
  checkGuardrailOptions(contract, options)
  return {
    name: options.name ?? 'stickler',
    async execute({ agentOutput }) {
      const { verdict, isStopped } = await judgeOutput(contract, agentOutput, options)
      return { tripwireTriggered: isStopped, outputInfo: verdict }
    },
  }
}
