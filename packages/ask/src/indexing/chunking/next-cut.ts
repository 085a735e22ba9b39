import type { DocumentLine } from './document-lines.ts'
import type { Layout } from './layout.ts'
import { sizes } from './sizes.ts'

/**
 * The line before which the passage that starts with `from` is split. Looks ahead no further than
 * the longest passage, so splitting takes linear time.
 */
export function nextCut(lines: readonly DocumentLine[], layout: Layout, from: number): number {
  // The last place within the target, and the first one after it, by cost.
  const within: number[] = []
  const beyond: number[] = []
  let size = lines[from]?.text.length ?? 0
  let saysMore = !layout.headingLines.has(from)
  let at = from + 1
  for (; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || (layout.begins.has(at) && saysMore)) break
    if (line.isBlank) {
      size++
      continue
    }
    const before = size
    size += line.text.length + 1
    const cost = layout.cost(at)
    if (before >= sizes.least && before <= sizes.target) within[cost] = at
    else if (before > sizes.target) beyond[cost] ??= at
    if (size > sizes.most) return cheapest(within, beyond) ?? at
    saysMore ||= !layout.headingLines.has(at)
  }
  return size <= sizes.target ? at : (within[0] ?? at)
}

function cheapest(within: readonly number[], beyond: readonly number[]): number | undefined {
  for (let cost = 0; cost < 4; cost++) {
    const found = within[cost] ?? beyond[cost]
    if (found !== undefined) return found
  }
  return undefined
}
