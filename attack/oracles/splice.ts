import type { Certificate } from '@stickler/core'

interface Spliced {
  readonly text: string
  /** Behind the last change of this round, and by how much offsets have moved in it. */
  readonly end: number
  readonly shift: number
}

/** Whether the changes that certificates record lead from one text to another: in their order, in as many rounds as it takes. */
export function leadsTo(from: string, certificates: readonly Certificate[], to: string): boolean {
  let reached = new Map<string, Spliced>([['', { text: from, end: 0, shift: 0 }]])
  for (const certificate of certificates) {
    const next = [...reached.values()].flatMap((one) => [
      splice(one, certificate),
      splice({ text: one.text, end: 0, shift: 0 }, certificate),
    ])
    reached = new Map(next.filter((one) => one !== undefined).map((one) => [JSON.stringify(one), one]))
  }
  return [...reached.values()].some(({ text }) => text === to)
}

function splice({ text, end, shift }: Spliced, { span, before, after }: Certificate): Spliced | undefined {
  const start = span.start + shift
  if (start < end || text.slice(start, span.end + shift) !== before) return undefined
  const changed = text.slice(0, start) + after + text.slice(span.end + shift)
  return { text: changed, end: start + after.length, shift: shift + after.length - before.length }
}
