import {
  Answer,
  ConfigurationError,
  check,
  decide,
  errorsOf,
  instructions,
  type Ports,
  type Prompt,
  type Report,
  RunnerFailure,
} from '@stickler/core'
import { askAnew, feedbackFor, validationStatus, withInstructions } from '@stickler/core/runners'
import { codeContract } from './code-contract.ts'
import { type CodePathOptions, refuseWrongOptions } from './code-path-options.ts'
import type { CodeState } from './code-state.ts'
import { generatorOf } from './generate.ts'

/** No request is asked again more often, whatever its contract says. */
const mostRetries = 1

/** What a graph passes beside the state. */
export interface NodeConfig {
  readonly signal?: AbortSignal | undefined
}

/** A node of a graph: what it changes in the state. */
export type CodeNode = (state: CodeState, config?: NodeConfig) => Promise<Partial<CodeState>>

/** The nodes of the code path, by the names that the design gives them, and the edge behind `validate_code`. */
export interface CodePath {
  readonly generate_code: CodeNode
  readonly validate_code: CodeNode
  readonly generate_code_retry: CodeNode
  /** Where to go after `validate_code`: to the retry, or to the end of the graph. */
  readonly afterValidation: (state: Pick<CodeState, 'parser_feedback' | 'retries'>) => 'generate_code_retry' | '__end__'
}

/** Makes the nodes of the code path: generate, validate, one retry with the parser's trace. */
export function codePath(options: CodePathOptions): CodePath {
  refuseWrongOptions(options)
  const { runner, parser, contract = codeContract(), promptOf = ({ query }) => query, onUnvalidated = () => {} } = options
  const words = contract.declared?.validationStatus
  if (words === undefined) throw new ConfigurationError([{ path: ['contract'], message: 'declares no validation status' }])
  const generate = generatorOf(runner)
  const ports: Ports = parser === undefined ? {} : { parser }

  async function generate_code(state: CodeState, { signal }: NodeConfig = {}): Promise<Partial<CodeState>> {
    // A graph that comes back here has had its answer.
    if (state.answer !== '' || state.verdict !== '' || state.retries > 0) return {}
    return { ...(await generate(promptFor(state), signal)), verdict: '' }
  }

  async function validate_code(state: CodeState, { signal }: NodeConfig = {}): Promise<Partial<CodeState>> {
    if (state.verdict !== '') return finish(state)
    const answer = new Answer(state.answer, { finishReason: state.finish_reason || undefined })
    const report = await check(contract, answer, { ports, ...(signal === undefined ? {} : { signal }) })
    if (signal?.aborted) throw new RunnerFailure('aborted', 'the run was aborted')
    return judge(state, report)
  }

  async function generate_code_retry(state: CodeState, { signal }: NodeConfig = {}): Promise<Partial<CodeState>> {
    if (afterValidation(state) === '__end__') return {}
    const retries = state.retries + 1
    try {
      const generated = await generate(askAnew(promptFor(state), state.parser_feedback), signal)
      const isSame = generated.answer === state.answer && generated.finish_reason === state.finish_reason
      return { ...generated, verdict: isSame ? state.verdict : '', retries }
    } catch (error) {
      if (!(error instanceof RunnerFailure) || error.kind === 'aborted') throw error
      // The first answer is all there is, and its verdict is known.
      return { retries }
    }
  }

  function promptFor(state: CodeState): Prompt {
    return contract.policy.instruct ? withInstructions(promptOf(state), instructions(contract)) : promptOf(state)
  }

  function judge(state: CodeState, report: Report): Partial<CodeState> {
    const errors = errorsOf(report)
    const status = validationStatus(contract, report) ?? ''
    const verdict = status === words?.invalid ? 'INVALID' : status === words?.unchecked ? 'UNAVAILABLE' : 'VALID'
    const wantsRetry = decide(report, contract.policy, { attempt: state.retries + 1, repairTried: true }).action === 'retry'
    const isFirst = state.retries === 0
    const trace = errors.filter(({ validator }) => validator === words?.validator).map(({ message }) => message)
    if (isFirst && wantsRetry)
      return { verdict, validation_status: '', parser_trace: trace.join('\n'), parser_feedback: feedbackFor(contract, errors) }
    if (verdict === 'UNAVAILABLE') onUnvalidated()
    return { verdict, validation_status: status, parser_feedback: '', ...(isFirst ? { parser_trace: trace.join('\n') } : {}) }
  }

  /** The verdict is known already: the retry brought no other answer. */
  function finish(state: CodeState): Partial<CodeState> {
    if (state.retries < mostRetries || state.validation_status !== '') return {}
    if (state.verdict === 'UNAVAILABLE') onUnvalidated()
    const status = { VALID: words?.valid, INVALID: words?.invalid, UNAVAILABLE: words?.unchecked, '': undefined }[state.verdict]
    return { validation_status: status ?? '' }
  }

  return { generate_code, validate_code, generate_code_retry, afterValidation }
}

const afterValidation: CodePath['afterValidation'] = ({ parser_feedback, retries }) =>
  parser_feedback !== '' && retries < mostRetries ? 'generate_code_retry' : '__end__'
