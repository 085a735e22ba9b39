import type { Certificate } from '@stickler/core'
import type { Paint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import type { Proposal } from '../file-result.ts'

/** The most lines shown before and after a change, and their maximum length. */
const mostLines = 6
const longestLine = 120

type Change = Pick<Certificate, 'span' | 'before' | 'after'>

/** What a change removes and adds, as lines that begin with `-` and `+`. */
export function describeChange(text: string, { span, before, after }: Change): string[] {
  // Later rounds refer to an intermediate text that is not available; show the bare change.
  const fits = text.startsWith(before, span.start)
  const head = fits ? text.slice(lineStart(text, span.start), span.start) : ''
  const tail = fits ? text.slice(span.end, lineEnd(text, span.end)) : ''
  const old = splitLines(head + before + tail)
  const fresh = splitLines(head + after + tail)
  const shorter = Math.min(old.length, fresh.length)
  let first = 0
  while (first < shorter && old[first] === fresh[first]) first++
  let same = 0
  while (same < shorter - first && old.at(-1 - same) === fresh.at(-1 - same)) same++
  return [...mark('-', old.slice(first, old.length - same)), ...mark('+', fresh.slice(first, fresh.length - same))]
}

function mark(sign: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostLines).map((line) => `${sign} ${clip(line)}`.trimEnd())
  return lines.length > mostLines ? [...shown, `${sign} … ${lines.length - mostLines} more lines`] : shown
}

function clip(line: string): string {
  return line.length > longestLine ? `${printable(line.slice(0, longestLine))}…` : printable(line)
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|[\r\n]/)
}

/** Limits context to what a line can show. */
function lineStart(text: string, offset: number): number {
  const floor = Math.max(0, offset - longestLine)
  let start = offset
  while (start > floor && !/[\r\n]/.test(text.charAt(start - 1))) start--
  return start
}

function lineEnd(text: string, offset: number): number {
  const ceiling = Math.min(text.length, offset + longestLine)
  let end = offset
  while (end < ceiling && !/[\r\n]/.test(text.charAt(end))) end++
  return end
}

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
    ...togetherOnLines(group, text)
      .flatMap((certificate) => describeChange(text, certificate))
      .map((line) => `    ${line.startsWith('-') ? paint.red(line) : paint.green(line)}`),
  ])
}

/** Changes in text order; those of the same line as one, which shows what the line becomes. */
function togetherOnLines(group: readonly Change[], text: string): Change[] {
  const joined: Change[] = []
  for (const change of [...group].sort((a, b) => a.span.start - b.span.start)) {
    const last = joined.at(-1)
    const between = last && text.slice(last.span.end, change.span.start)
    const isOneLine = last && between !== undefined && last.span.end <= change.span.start && !/[\r\n]/.test(between)
    // Later rounds refer to another text.
    if (isOneLine && text.startsWith(last.before, last.span.start) && text.startsWith(change.before, change.span.start))
      joined[joined.length - 1] = {
        span: { start: last.span.start, end: change.span.end },
        before: last.before + between + change.before,
        after: last.after + between + change.after,
      }
    else joined.push(change)
  }
  return joined
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
