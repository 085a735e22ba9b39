import { type Answer, type Clock, settle } from '@stickler/core'
import { firstDecision, statusAsFirst } from '@stickler/core/internal'
import type { RunRecord, ShadowVerdict } from '../../records/run/run-record.ts'
import { firstStatus } from '../../records/run/written-answer.ts'
import { forCaller } from '../caller-ports.ts'
import type { HeldContract } from '../pipeline/bound-contract.ts'
import type { SessionState } from '../session-states.ts'

/** An answer that a shadow contract is to judge, and the run that it belongs to. */
export interface ShadowJob {
  readonly record: RunRecord
  readonly shadow: HeldContract
  /** The first answer; absent if it was stopped before its end, so that nobody knows the rest. */
  readonly answer: Answer | undefined
  /** As for the contract of the route. */
  readonly context: Readonly<Record<string, unknown>>
  /** The state of the session before the answer; absent where the shadow contract needs none. */
  readonly state: Promise<SessionState | undefined> | undefined
  /** Notes that the settings of the request are used; the function returned is called when that is over. */
  begin(): () => void
}

/** The caller of services for all shadow contracts: they take turns as one, and their failures are no one else's. No key has a space in its name. */
const shadowCaller = 'shadow contracts'

/** Judges the first answer of a run by a shadow contract, and compares; never throws. */
export async function shadowVerdict(job: ShadowJob, signal: AbortSignal, clock: Clock): Promise<ShadowVerdict> {
  const { record, shadow } = job
  const { status, codes } = await judge(job, signal, clock)
  const live = (record.attempts[0]?.issues ?? []).map(({ code }) => code)
  return {
    contract: shadow.contractName,
    status,
    liveStatus: firstStatus(record),
    codes: difference(codes, live),
    // What could not be judged lacks no code.
    liveCodes: status === 'unchecked' ? '' : difference(live, codes),
  }
}

type Judged = Pick<ShadowVerdict, 'status'> & { readonly codes: readonly string[] }

const unjudged: Judged = { status: 'unchecked', codes: [] }

async function judge({ answer, shadow, state, context: known, record }: ShadowJob, signal: AbortSignal, clock: Clock): Promise<Judged> {
  if (answer === undefined) return unjudged
  try {
    const before = await state
    const context = before === undefined ? known : { ...known, session_state: before }
    const options = { context, ...forCaller(shadow, shadowCaller), signal, clock }
    const settled = await settle(shadow.contract, answer, options)
    const usage = record.attempts[0]?.usage
    const decision = await firstDecision(shadow.contract, answer, settled, { ...options, ...(usage && { usage }) })
    return signal.aborted ? unjudged : { status: statusAsFirst(settled, decision), codes: settled.found.issues.map(({ code }) => code) }
  } catch {
    return unjudged
  }
}

const mostLength = 256

/** The codes that only the first list has. Those of rules from outside may be any text, and only codes are kept. */
function difference(codes: readonly string[], others: readonly string[]): string {
  const own = [...new Set(codes)]
    .filter((code) => !others.includes(code))
    .map((code) => (/^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : 'OTHER'))
  let text = ''
  for (const code of [...new Set(own)].sort()) {
    const longer = text === '' ? code : `${text}, ${code}`
    if (longer.length > mostLength) break
    text = longer
  }
  return text
}
