import { requirePlain } from '../adapters/plain-data.ts'
import { judgeData } from '../adapters/tool-data.ts'
import { Answer } from '../answer/answer.ts'
import { errorMessage } from '../answer/thrown.ts'
import type { ToolCall } from '../answer/tool-calls.ts'
import type { Contract } from '../contract/contract.ts'
import type { Issue } from '../contract/issue.ts'
import type { CheckOptions } from '../engine/check/check.ts'
import { errorsOf, type Unchecked } from '../engine/check/report.ts'
import { type OptionNames, rejectUnknown, requireContract } from '../engine/option-names.ts'
import { settle } from '../engine/repair/settle.ts'
import type { Settled } from '../engine/repair/settled.ts'
import { parseJson } from '../json/parse-json.ts'

/** What guardrails take besides their contract. */
export interface GuardrailOptions extends Pick<CheckOptions, 'context' | 'ports' | 'clock' | 'request'> {
  /** The name in traces and errors; `stickler` when absent. */
  readonly name?: string
}

const known: OptionNames<GuardrailOptions> = { name: true, context: true, ports: true, clock: true, request: true }

/** Throws a ConfigurationError for what is not a contract, and for options that do not exist. */
export function checkGuardrailOptions(contract: Contract, options: GuardrailOptions): void {
  requireContract(contract)
  rejectUnknown(options, known)
}

/** What a guardrail has found: `repairable` breaks the contract as it is, and nobody here can apply the repair. */
export interface GuardrailVerdict {
  readonly status: 'valid' | 'repairable' | 'unresolved' | 'unchecked'
  readonly issues: readonly Issue[]
  /** Validators that could not run. */
  readonly unchecked: readonly Pick<Unchecked, 'validator' | 'message'>[]
}

/** A verdict, and whether it stops what was judged. */
export interface Judged {
  readonly verdict: GuardrailVerdict
  readonly isStopped: boolean
}

/** The most issues that are reported. */
const mostIssues = 50

/** Collects what is found in the parts of something. */
class Findings {
  readonly #contract: Contract
  readonly #options: Omit<GuardrailOptions, 'name'>
  readonly #issues = new Map<string, Issue>()
  readonly #unchecked = new Map<string, Pick<Unchecked, 'validator' | 'message'>>()
  /** Decided by all issues, not by those that are reported. */
  #hasErrors = false

  constructor(contract: Contract, { name: _name, ...options }: GuardrailOptions) {
    this.#contract = contract
    this.#options = options
  }

  readonly settle = async (answer: Answer, only?: readonly string[]): Promise<Settled> => {
    const settled = await settle(this.#contract, answer, { ...this.#options, ...(only && { only }) })
    if (errorsOf(settled.found).length > 0) this.#hasErrors = true
    for (const found of settled.found.issues) if (this.#issues.size < mostIssues) this.#issues.set(`${found.code} ${found.message}`, found)
    for (const { validator, message } of settled.unchecked) this.#unchecked.set(validator, { validator, message })
    return settled
  }

  /** What cannot be judged at all is stopped. */
  fail(thrown: unknown): Judged {
    this.#unchecked.set('stickler', { validator: 'stickler', message: errorMessage(thrown) })
    return this.judged(true, false)
  }

  judged(isRefused: boolean, isChanged: boolean): Judged {
    const issues = [...this.#issues.values()]
    const unchecked = [...this.#unchecked.values()]
    const hasErrors = this.#hasErrors
    const isRepairable = !isRefused && isChanged && hasErrors
    const isStopped = isRefused || (isRepairable && this.#contract.policy.mode === 'strict')
    const open = unchecked.length > 0 ? 'unchecked' : 'valid'
    return { verdict: { status: isRepairable ? 'repairable' : hasErrors ? 'unresolved' : open, issues, unchecked }, isStopped }
  }
}

/** Judges a text, or data by its texts and as JSON. */
export async function judgeOutput(contract: Contract, output: unknown, options: GuardrailOptions): Promise<Judged> {
  const findings = new Findings(contract, options)
  try {
    if (typeof output !== 'string') {
      requirePlain(output)
      return await judgeParts(contract, output, findings)
    }
    const { delivered, text } = await findings.settle(new Answer(output))
    return findings.judged(!delivered, text !== output)
  } catch (thrown) {
    return findings.fail(thrown)
  }
}

/** Judges the call of a tool: as it was written, because keys that occur twice are lost in data, then the texts in it. */
export async function judgeCall(contract: Contract, call: ToolCall, options: GuardrailOptions): Promise<Judged> {
  const findings = new Findings(contract, options)
  const ofCalls = contract.validators.filter(({ definition }) => definition.judges === 'calls').map(({ name }) => name)
  try {
    const written = await findings.settle(new Answer('', { toolCalls: [call], finishReason: 'tool_calls' }), ofCalls)
    const [after] = written.toolCalls
    const isChanged = after?.name !== call.name || after.arguments !== call.arguments
    const data = call.arguments === '' ? {} : parseJson(call.arguments)
    if (!written.delivered || isChanged || data === undefined) return findings.judged(!written.delivered, isChanged)
    return await judgeParts(contract, data, findings, call.name)
  } catch (thrown) {
    return findings.fail(thrown)
  }
}

async function judgeParts(contract: Contract, data: unknown, findings: Findings, call?: string): Promise<Judged> {
  const { refused, changed } = await judgeData(data, contract, findings.settle, call)
  return findings.judged(refused, changed)
}
