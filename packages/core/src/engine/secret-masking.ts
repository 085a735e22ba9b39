import type { Answer } from '../answer/answer.ts'
import type { ToolCall } from '../answer/tool-calls.ts'
import { hidden } from '../contract/certificate.ts'
import type { Contract } from '../contract/contract.ts'
import { isTooComplex } from './check/complexity.ts'
import type { Report } from './check/report.ts'
import { repair } from './repair/repair.ts'
import type { RunState } from './run-state.ts'

/** An answer's text for readers who must not see its secrets. */
interface HiddenText {
  /** For traces and stored records: a placeholder for all text when secrets could not be detected. */
  readonly told: string
  /** For the model, when it is asked again; another provider may answer then. */
  readonly rejected: string
}

/** Whether validators of a run may find secrets to hide. */
export function mayFindSecrets({ contract }: { readonly contract: Contract }): boolean {
  return contract.validators.some(({ prepared }) => prepared.secret === true)
}

/** Tool calls for traces and stored records: no secret is ever taken out of arguments, so where some are looked for, all are hidden. */
export function hideArguments(contract: Contract, calls: readonly ToolCall[]): readonly ToolCall[] {
  return mayFindSecrets({ contract }) ? calls.map((call) => ({ ...call, arguments: hidden })) : calls
}

/** Takes the secrets out of a text that validators have found in it, whether or not the answer may be changed. */
export async function hideSecrets(run: RunState, answer: Answer, report: Report): Promise<HiddenText> {
  const { contract, context, ports, clock, signal, executor } = run
  const names = new Set(contract.validators.filter(({ prepared }) => prepared.secret).map(({ name }) => name))
  const isUnknown =
    report.unchecked.some(({ validator }) => names.has(validator)) ||
    report.issues.some((issue) => names.has(issue.validator) && isTooComplex(issue))
  if (!report.issues.some(({ validator }) => names.has(validator))) return { told: isUnknown ? hidden : answer.text, rejected: answer.text }
  const options = { context, ports, clock, signal, executor, edits: 'secrets' } as const
  const { text } = (await repair(contract, answer, report, options)).answer
  return { told: isUnknown ? hidden : text, rejected: text }
}
