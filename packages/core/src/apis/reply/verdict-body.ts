import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { FinalChoice, FinalReply, Verdict } from '../shared/api.ts'
import type { PipelineVerdict } from './pipeline-verdict.ts'

/** What the `stickler` member of a reply says about one answer. */
export interface ReplyVerdict extends Omit<Verdict, 'pipeline' | 'validationStatus'> {
  /** Set on routes with a pipeline. */
  readonly pipeline?: ReplyPipeline
  /** The verdict as the contract's preset names it. */
  readonly validation_status?: string
}

/** What the pipeline of a route did for an answer. */
export interface ReplyPipeline extends Pick<PipelineVerdict, 'name' | 'type' | 'reformulations' | 'degraded'> {
  readonly context_relevant?: boolean
  readonly sources: readonly Pick<PipelineVerdict['sources'][number], 'urn' | 'headings' | 'score'>[]
}

/** The members that a gateway and an enforced `fetch` add to a reply: with several choices a list of verdicts that names them. */
export type ReplyMembers = {
  readonly stickler: ReplyVerdict | readonly (ReplyVerdict & { readonly choice: number })[]
  readonly validation_status?: string
}

const nothing: readonly never[] = []

/** A verdict without issues, like most: it is written without reading it. */
class PlainVerdict {
  readonly status: Verdict['status']
  readonly contract: string
  readonly attempts: number
  readonly issues = nothing
  readonly fixed = nothing
  readonly repairs = nothing
  readonly unchecked = nothing

  constructor({ status, contract, attempts }: Verdict) {
    this.status = status
    this.contract = contract
    this.attempts = attempts
  }

  json(): string {
    const { status, contract, attempts } = this
    return `{"status":"${status}","contract":${JSON.stringify(contract)},"attempts":${attempts},"issues":[],"fixed":[],"repairs":[],"unchecked":[]}`
  }
}

/** The JSON of a member such as `stickler`. */
export function memberJson(value: unknown): string {
  return value instanceof PlainVerdict ? value.json() : JSON.stringify(value)
}

function verdictBody(verdict: Verdict): ReplyVerdict {
  const { status, contract, attempts, issues, fixed, repairs, unchecked, skipped, fallback, failure, validationStatus, pipeline } = verdict
  const isPlain =
    issues.length + fixed.length + repairs.length + unchecked.length === 0 &&
    (failure ?? validationStatus ?? pipeline ?? skipped ?? fallback) === undefined
  if (isPlain) return new PlainVerdict(verdict)
  const body: { -readonly [Key in keyof ReplyVerdict]: ReplyVerdict[Key] } = {
    status,
    contract,
    attempts,
    issues,
    fixed,
    repairs,
    unchecked,
  }
  if (skipped !== undefined) body.skipped = skipped
  if (fallback) body.fallback = fallback
  if (failure !== undefined) body.failure = failure
  if (pipeline !== undefined) body.pipeline = pipelineBody(pipeline)
  return Object.assign(body, validationMember(validationStatus))
}

/** The texts of passages are not repeated: they are in the named documents. */
function pipelineBody({ name, type, contextRelevant, reformulations, sources, degraded }: PipelineVerdict): ReplyPipeline {
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(contextRelevant === undefined ? {} : { context_relevant: contextRelevant }),
    reformulations,
    sources: sources.map(({ urn, headings, score }) => ({ urn, headings, score })),
    ...(degraded === undefined ? {} : { degraded }),
  }
}

/** What a chunk that ends one choice says about it. */
export function choiceMembers({ verdict }: FinalChoice): Fields {
  return { stickler: verdictBody(verdict), ...validationMember(verdict.validationStatus) }
}

/**
 * The verdict on a reply's answers: `stickler`, one verdict or with several choices a list that
 * names them, and `validation_status` where declared.
 */
export function replyMembers({ choices, validationStatus }: Pick<FinalReply, 'choices' | 'validationStatus'>): ReplyMembers {
  const [only, ...more] = choices
  const stickler =
    only && more.length === 0
      ? verdictBody(only.verdict)
      : choices.map(({ index, verdict }) => ({ choice: index, ...verdictBody(verdict) }))
  return { stickler, ...validationMember(validationStatus) }
}

/** The reply field for the verdict as the preset names it. */
export function validationMember(status: string | undefined): { readonly validation_status?: string } {
  return status === undefined ? none : { validation_status: status }
}

const none = {}
