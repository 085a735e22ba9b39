import { Answer, check, decide, errorsOf, type Report } from '@stickler/core'
import { feedbackFor, validationStatus } from '@stickler/core/internal'
import { verdictOf } from '../generation.ts'
import type { GenerationNeeds } from '../options.ts'
import type { CodeVerdict, PipelineState } from '../state.ts'
import type { Step } from '../step.ts'

/** What a verdict changes. */
type Judged = Pick<PipelineState, 'verdict' | 'validation_status' | 'parser_trace' | 'parser_feedback'>

/**
 * Has the code parsed: the trace while a retry can follow, the validation status when the answer is
 * final.
 */
export async function validateCode(state: PipelineState, needs: GenerationNeeds, signal: AbortSignal | undefined): Promise<Step<Judged>> {
  const judged = state.verdict === '' ? await judge(state, needs, signal) : known(state, state.verdict, needs)
  const { unchecked } = wordsOf(state, needs)
  if (judged.parser_feedback === '' && judged.validation_status === unchecked) needs.onUnvalidated()
  return { change: judged, detail: judged.verdict === '' ? {} : { verdict: judged.verdict } }
}

async function judge(state: PipelineState, needs: GenerationNeeds, signal: AbortSignal | undefined): Promise<Judged> {
  const contract = contractOf(state, needs)
  const answer = new Answer(state.answer, { finishReason: state.finish_reason || undefined })
  const report = await check(contract, answer, { ports: needs.ports, clock: needs.clock, ...(signal === undefined ? {} : { signal }) })
  const verdict = verdictOf(contract, report)
  const isFirst = !wasRetried(state)
  const trace = isFirst
    ? { parser_trace: traceOf(report, contract.declared?.validationStatus?.validator) }
    : { parser_trace: state.parser_trace }
  const { action } = decide(report, contract.policy, { attempt: isFirst ? 1 : 2, repairTried: true })
  if (action === 'retry' && isFirst && state.retry === 'unspent')
    return { verdict, validation_status: '', ...trace, parser_feedback: feedbackFor(contract, errorsOf(report)) }
  return { verdict, validation_status: validationStatus(contract, report) ?? '', ...trace, parser_feedback: '' }
}

/** The retry yielded no answer: the first one stays, and with it its verdict. */
function known(state: PipelineState, verdict: Exclude<CodeVerdict, ''>, needs: GenerationNeeds): Judged {
  const { parser_trace, parser_feedback, validation_status } = state
  if (state.retry === 'unspent') return { verdict, parser_trace, parser_feedback, validation_status }
  const { valid, invalid, unchecked } = wordsOf(state, needs)
  const final = { VALID: valid, INVALID: invalid, UNAVAILABLE: unchecked }[verdict]
  return { verdict, parser_trace, parser_feedback: '', validation_status: final }
}

function wordsOf(state: PipelineState, needs: GenerationNeeds): Readonly<Record<'valid' | 'invalid' | 'unchecked', string>> {
  return contractOf(state, needs).declared?.validationStatus ?? { valid: '', invalid: '', unchecked: '' }
}

function contractOf({ retry }: PipelineState, { contractOf: contract }: GenerationNeeds) {
  return contract('CODE_GENERATION', retry === 'unspent' ? 1 : 0)
}

function wasRetried({ trace }: PipelineState): boolean {
  return trace.some(({ node }) => node === 'generate_code_retry')
}

function traceOf(report: Report, validator: string | undefined): string {
  return errorsOf(report)
    .filter((issue) => issue.validator === validator)
    .map(({ message }) => message)
    .join('\n')
}
