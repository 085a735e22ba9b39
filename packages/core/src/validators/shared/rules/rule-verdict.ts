import * as z from 'zod'
import type { Answer } from '../../../answer/answer.ts'
import { isFields } from '../../../answer/tool-shapes/fields.ts'
import { type Certificate, repairClasses } from '../../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../../contract/issue.ts'
import type { Locale } from '../../../contract/locale.ts'
import { floodProblem } from '../../../contract/rules/most-findings.ts'
import { settledStatuses } from '../../../contract/statuses.ts'
import { once } from '../../../contract/validator.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import { applyCertificates } from '../../../repairs/apply.ts'
import { codeOf, oneLine, ruleHint, ruleMessage } from './rule-messages.ts'

/** What a rule says of an answer. */
export interface RuleVerdict {
  readonly issues: readonly IssueDraft[]
  /** Changes that would fix the issues; they fit the answer. */
  readonly repairs: readonly Certificate[]
}

/** Who has answered, and how it is spoken of. */
interface RuleIdentity {
  readonly name: string
  /** The code of issues that have none. */
  readonly code: string
  readonly locale: Locale
  /** Whether its messages and hints are instructions to the model. */
  readonly trusted: boolean
}

const longest = { reason: 300, suggestion: 200, segment: 100 } as const
const deepestPath = 50

const spanShape = () => z.object({ start: z.int().min(0), end: z.int().min(0) })
const pathShape = () => z.array(z.union([z.string(), z.int()])).max(deepestPath)

/** `null` means the same as an absent field. */
const issueShape = () =>
  z.object({
    code: z.string().nullish(),
    severity: z.enum(['error', 'warning']).nullish(),
    message: z.string(),
    hint: z.string().nullish(),
    span: spanShape().nullish(),
    path: pathShape().nullish(),
    suggestion: z.string().nullish(),
  })

const repairShape = () =>
  z.object({
    rule: z.string().nullish(),
    class: z.enum(repairClasses),
    span: spanShape(),
    before: z.string(),
    after: z.string(),
    path: pathShape().nullish(),
    in: z.object({ call: z.int().min(0), part: z.enum(['name', 'arguments']) }).nullish(),
    calls: z.undefined('calls cannot be made from text here').optional(),
  })

const replyShape = once(() =>
  z.object({
    status: z.enum(settledStatuses).nullish(),
    issues: z.array(issueShape()).nullish(),
    fixed: z.array(issueShape()).nullish(),
    repairs: z.array(repairShape()).nullish(),
  }),
)

type RuleIssue = z.output<ReturnType<typeof issueShape>>

/** Reads what a rule answered, as a line of `stickler check --jsonl` has it; throws ValidatorUnavailable for everything that is not a clear verdict. */
export function readVerdict(reply: unknown, answer: Answer, rule: RuleIdentity): RuleVerdict {
  const { name } = rule
  const unclear = (why: string): ValidatorUnavailable =>
    new ValidatorUnavailable(`the rule ${name} gave no verdict: ${why}`, 'fault', { fault: 'protocol' })
  if (!isFields(reply)) throw unclear('its answer is not a JSON object')
  const told = toldReason(reply)
  if (told !== undefined) throw unclear(told)
  const flood = floodProblem(Math.max(sizeOf(reply.issues) + sizeOf(reply.fixed), sizeOf(reply.repairs)))
  if (flood !== undefined) throw unclear(`it ${flood}`)
  const { data, error } = replyShape().safeParse(reply)
  if (data === undefined) throw unclear(describe(error.issues[0]))
  const { status, fixed, repairs } = data
  if ((status ?? undefined) === undefined && !Array.isArray(reply.issues)) throw unclear('it has neither a status nor issues')
  if (status === 'unchecked') throw unclear('it could not check the answer')
  const found = [...(fixed ?? []), ...(data.issues ?? [])]
  const isWrong = found.some(({ severity }) => severity !== 'warning')
  if (status === 'valid' && isWrong) throw unclear('it calls the answer valid and reports an error')
  if (status === 'unresolved' && !isWrong) throw unclear('it calls the answer unresolved and reports no error')
  if (status === 'repaired' && (repairs ?? []).length === 0) throw unclear('it calls the answer repaired and lists no repairs')
  const certificates = (repairs ?? []).map((repair) => certificateOf(repair, name))
  if (!fits(certificates, answer)) throw unclear('its repairs do not fit the answer')
  return { issues: found.map((one) => draftOf(one, answer, rule)), repairs: certificates }
}

/** What a rule says that could not judge: an `error` as for a line that could not be read, or what it could not check. */
function toldReason({ error, status, unchecked }: Readonly<Record<string, unknown>>): string | undefined {
  if (error !== undefined && error !== null) {
    const message = isFields(error) ? error.message : error
    return `it reports an error${typeof message === 'string' ? `: ${oneLine(message, longest.reason)}` : ''}`
  }
  if (status !== 'unchecked' || !Array.isArray(unchecked) || !isFields(unchecked[0])) return undefined
  const { message } = unchecked[0]
  return typeof message === 'string' ? `it could not check the answer: ${oneLine(message, longest.reason)}` : undefined
}

function sizeOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function describe(first: z.core.$ZodIssue | undefined): string {
  const path = (first?.path ?? []).map(String).join('.')
  return first === undefined ? 'its answer cannot be read' : `${path === '' ? 'its answer' : path}: ${oneLine(first.message, 200)}`
}

function draftOf(found: RuleIssue, { text }: Answer, rule: RuleIdentity): IssueDraft {
  const { severity, hint, span, path, suggestion } = found
  return issue(codeOf(found.code ?? '', rule.code), ruleMessage(found.message, rule), {
    severity: severity ?? 'error',
    ...(hint ? { hint: ruleHint(hint, rule) } : {}),
    ...(span && span.start <= span.end && span.end <= text.length ? { span: { start: span.start, end: span.end } } : {}),
    ...(path ? { path: path.map((segment) => (typeof segment === 'string' ? oneLine(segment, longest.segment) : segment)) } : {}),
    ...(suggestion ? { suggestion: oneLine(suggestion, longest.suggestion) } : {}),
  })
}

function certificateOf(repair: z.output<ReturnType<typeof repairShape>>, name: string): Certificate {
  const { rule, span, before, after, path, in: part } = repair
  return {
    rule: rule && /^[a-z][a-z0-9_-]{0,63}$/.test(rule) ? rule : name,
    class: repair.class,
    span: { start: span.start, end: span.end },
    before,
    after,
    ...(path ? { path } : {}),
    ...(part ? { in: { call: part.call, part: part.part } } : {}),
  }
}

/** Whether changes can be made as they are listed, without tearing a character apart. */
function fits(certificates: readonly Certificate[], answer: Answer): boolean {
  if (certificates.length === 0) return true
  const changed = applyCertificates(answer, certificates)
  const isTorn = (before: string, after: string): boolean => /\p{Cs}/u.test(after) && !/\p{Cs}/u.test(before)
  return changed !== undefined && !isTorn(answer.text, changed.text)
}
