import type { Certificate } from '@stickler/core'
import type { Paint } from '../../terminal/paint.ts'
import type { Proposal } from '../file-result.ts'
import { describeChange } from './change.ts'

/** The changes that were made, rule by rule. */
export function describeRepairs(repairs: readonly Certificate[], text: string, paint: Paint): string[] {
  return describeGroups(repairs, text, paint, ({ rule, class: cost }) => `  ${paint.green('repaired')} by ${rule} (${cost})`)
}

/** The changes that repairs would make, rule by rule, and why they were not made. */
export function describeProposals(proposals: readonly Proposal[], text: string, paint: Paint): string[] {
  const reasons = new Map(proposals.map(({ certificate, why }) => [certificate, why]))
  const heading = (certificate: Certificate): string => {
    const why = reasonInWords(reasons.get(certificate) ?? 'never', certificate)
    return `  ${paint.cyan('could be repaired')} by ${certificate.rule} (${certificate.class}); ${why}`
  }
  return describeGroups([...reasons.keys()], text, paint, heading)
}

function describeGroups(all: readonly Certificate[], text: string, paint: Paint, heading: (first: Certificate) => string): string[] {
  const groups: (readonly [Certificate, ...Certificate[]])[] = []
  for (const certificate of all) {
    const last = groups.at(-1)
    if (last?.[0].rule === certificate.rule && last[0].class === certificate.class) groups[groups.length - 1] = [...last, certificate]
    else groups.push([certificate])
  }
  return groups.flatMap((group) => [
    heading(group[0]),
    ...[...group]
      .sort((a, b) => a.span.start - b.span.start)
      .flatMap((certificate) => describeChange(text, certificate))
      .map((line) => `    ${line.startsWith('-') ? paint.red(line) : paint.green(line)}`),
  ])
}

function reasonInWords(why: Proposal['why'], { class: cost }: Certificate): string {
  switch (why) {
    case 'class':
      return `the class ${cost} is not allowed`
    case 'never':
      return 'repairs are off'
    case 'shadow':
      return 'shadow mode changes nothing'
    case 'other-errors':
      return 'not done, because other errors would remain'
    case 'unchecked':
      return 'not done, because not everything could be checked'
  }
}
