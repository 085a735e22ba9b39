import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { FinalChoice, FinalReply, Verdict } from '../shared/api.ts'
import type { PipelineVerdict } from './pipeline-verdict.ts'

/** What the `stickler` member of a reply says about one answer. */
function verdictBody({
  status,
  contract,
  attempts,
  issues,
  fixed,
  repairs,
  unchecked,
  failure,
  validationStatus,
  pipeline,
}: Verdict): Fields {
  const body: Record<string, unknown> = { status, contract, attempts, issues, fixed, repairs, unchecked }
  if (failure !== undefined) body.failure = failure
  if (pipeline !== undefined) body.pipeline = pipelineBody(pipeline)
  return Object.assign(body, validationMember(validationStatus))
}

/** The texts of passages are not repeated: they are in the named documents. */
function pipelineBody({ name, type, contextRelevant, reformulations, sources, degraded }: PipelineVerdict): Fields {
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
export function replyMembers({ choices, validationStatus }: Pick<FinalReply, 'choices' | 'validationStatus'>): {
  readonly stickler: Fields | readonly Fields[]
} {
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
