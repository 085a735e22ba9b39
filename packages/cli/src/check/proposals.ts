import { type Answer, type Certificate, type CheckOptions, type Contract, check, repair, type Settled } from '@stickler/core'
import { repairClasses } from '@stickler/core/internal'
import type { Proposal } from '../reports/file-result.ts'

/** What each validator would repair in an answer that was not repaired, ignoring what the contract allows. */
export async function findProposals(
  contract: Contract,
  answer: Answer,
  settled: Settled,
  options: CheckOptions,
): Promise<readonly Proposal[]> {
  const { validators, policy } = contract
  const open: Contract = { ...contract, policy: { ...policy, allow: [...repairClasses] } }
  // What is edited in any case is not written either, as long as something else is wrong or unknown.
  if (settled.status === 'unchecked') return settled.repairs.map((certificate) => ({ certificate, why: 'unchecked' }))
  if (settled.status !== 'unresolved') return []
  const proposals: Proposal[] = []
  for (const { name, prepared } of validators) {
    if (!prepared.repair || !settled.found.issues.some((issue) => issue.validator === name && issue.severity === 'error')) continue
    // Each validator alone: a repair counts only when nothing else is wrong.
    const alone = { ...options, only: [name] }
    const { certificates } = await repair(open, answer, await check(open, answer, alone), { ...alone, allow: repairClasses })
    for (const certificate of certificates) proposals.push({ certificate, why: reasonFor(certificate, settled, policy) })
  }
  return proposals
}

function reasonFor(
  certificate: Certificate,
  { repairs }: Settled,
  { mode, repair: order, allow, lastResort }: Contract['policy'],
): Proposal['why'] {
  if (mode === 'shadow') return 'shadow'
  if (order === 'never') return 'never'
  // Some edits are made whatever classes are allowed, such as those of `redact`.
  const isMade = repairs.some(({ rule, span }) => rule === certificate.rule && span.start === certificate.span.start)
  return isMade || [...(allow ?? ['lossless']), ...lastResort].includes(certificate.class) ? 'other-errors' : 'class'
}
