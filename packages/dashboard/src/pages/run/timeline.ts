import type { Run } from '../../api/run-types.ts'

/** A moment at which a reader of a stream got text: milliseconds since the run began, and characters so far. */
export interface Release {
  readonly ms: number
  readonly characters: number
}

const most = 10_000

/** Reads what a reader of a stream had, and when; nothing for other runs. */
export function readTimeline(timeline: Run['timeline']): readonly Release[] {
  const pairs = (timeline ?? '').split(' ').map((pair) => pair.split(':').map(Number))
  const releases: Release[] = []
  for (const [ms, characters] of pairs.slice(0, most)) {
    const last = releases.at(-1)
    if (ms === undefined || characters === undefined || !(ms >= 0) || !(characters >= 0)) continue
    // Only a reader of a malformed line would see text disappear.
    if (last !== undefined && (ms < last.ms || characters < last.characters)) continue
    releases.push({ ms, characters })
  }
  return releases
}

/** How many characters a reader had at a moment. */
export function charactersAt(releases: readonly Release[], ms: number): number {
  return releases.findLast((release) => release.ms <= ms)?.characters ?? 0
}

/** The longest times in which the reader got nothing: while text was held, or the model was asked again. */
export function longestWaits(
  releases: readonly Release[],
  endMs: number,
  count: number,
): readonly { readonly from: number; readonly to: number }[] {
  const moments = [0, ...releases.map(({ ms }) => ms), endMs]
  return moments
    .slice(1)
    .map((to, at) => ({ from: moments[at] ?? 0, to }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, count)
}
