import {
  type Answer,
  type Certificate,
  type CheckOptions,
  type Contract,
  check,
  type Issue,
  type Report,
  repair,
  type Settled,
} from '@stickler/core'
import { Result, repairClasses } from '@stickler/core/internal'

/** What validators want out of a text for what it says, and how a text looks without it. */
export class Secrets {
  readonly #values: readonly string[]

  constructor(values: Iterable<string>) {
    // The longest first: one may be part of another.
    this.#values = [...new Set(values)].filter((value) => value.trim() !== '').sort((a, b) => b.length - a.length)
  }

  /** The text with a mark for each character of a secret, so that places in it stay where they are. */
  hide(text: string): string {
    return this.#values.reduce((shown, value) => shown.replaceAll(value, () => value.replace(/\S/g, '*')), text)
  }

  /** Whether a text has none of them. */
  areAbsentIn(text: string): boolean {
    return this.#values.every((value) => !text.includes(value))
  }

  /** A change without secrets, even if it is one that takes out more. */
  hideIn(certificate: Certificate): Certificate {
    const { before, after, secret } = certificate
    return { ...certificate, before: secret ? '[hidden]' : this.hide(before), after: this.hide(after) }
  }

  /** What is reported on an answer, without secrets; other validators may quote them. */
  hideInSettled(settled: Settled): Settled {
    if (this.#values.length === 0) return settled
    const known = new Map<Issue, Issue>()
    // The same issue is in several lists.
    const hideIssue = (issue: Issue): Issue => {
      const shown = known.get(issue) ?? this.#hideInIssue(issue)
      known.set(issue, shown)
      return shown
    }
    const hideReport = ({ issues, facts, unchecked }: Omit<Report, 'repairable'>) => ({
      issues: issues.map(hideIssue),
      facts: this.#hideInData(facts),
      unchecked: unchecked.map((one) => ({ ...one, message: this.hide(one.message) })),
    })
    return Object.assign(new Result(settled.status), {
      ...settled,
      found: { ...settled.found, ...hideReport(settled.found) },
      ...hideReport(settled),
      fixed: settled.fixed.map(hideIssue),
      repairs: settled.repairs.map((certificate) => this.hideIn(certificate)),
    }) as Settled
  }

  #hideInIssue(issue: Issue): Issue {
    const { message, hint, suggestion } = issue
    return {
      ...issue,
      message: this.hide(message),
      ...(hint !== undefined && { hint: this.hide(hint) }),
      ...(suggestion !== undefined && { suggestion: this.hide(suggestion) }),
    }
  }

  #hideInData<Data>(data: Data): Data {
    return JSON.parse(JSON.stringify(data), (_, value: unknown) => {
      if (typeof value === 'string') return this.hide(value)
      return typeof value === 'number' && !this.areAbsentIn(String(value)) ? '[hidden]' : value
    }) as Data
  }
}

/** Finds what validators such as `sensitive` would take out, whether or not the contract lets them. */
export async function findSecrets(contract: Contract, answer: Answer, found: Report, options: CheckOptions): Promise<Secrets> {
  const open: Contract = { ...contract, policy: { ...contract.policy, allow: [...repairClasses] } }
  const values: string[] = []
  for (const { name, prepared } of contract.validators) {
    const own = found.issues.filter(({ validator }) => validator === name)
    if (prepared.edits === undefined || prepared.lines || own.length === 0) continue
    const alone = { ...options, only: [name] }
    const report = await check(open, answer, alone)
    // A warning is repaired only where nothing is lost.
    const errors = report.issues.map((issue) => ({ ...issue, severity: 'error' as const }))
    const { certificates } = await repair(open, answer, { ...report, issues: errors, repairable: true }, { ...alone, allow: repairClasses })
    const secret = certificates.filter((certificate) => certificate.secret)
    for (const { before } of secret) values.push(before)
    if (secret.length > 0 || certificates.length === 0)
      for (const { span } of own) values.push(span === undefined ? '' : answer.text.slice(span.start, span.end))
  }
  return new Secrets(values)
}
