import type { AskEnvelope } from '@stickler/ask'
import { clip } from '../terminal/clip.ts'

/** The sources that an answer cites, one below the other, by their numbers. */
export function citedSources({ citations, sources_flat: sources }: Pick<AskEnvelope, 'citations' | 'sources_flat'>): string {
  const cited = [...new Set(citations.map(({ source_index: index }) => index))].sort((a, b) => a - b)
  const lines = cited.flatMap((index) => {
    const source = sources[index]
    return source === undefined ? [] : [`[${index + 1}] ${clip(placeOf(source.urn))}`]
  })
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

/** A passage as `path:from-to`, which terminals and editors link: `docs/a.md:10-42`. */
export function placeOf(urn: string): string {
  const lines = /#L(\d+)(?:C\d+)?(?:-L(\d+)(?:C\d+)?)?$/.exec(urn)
  if (lines === null) return urn
  const [, first = '', last = first] = lines
  return `${urn.slice(0, lines.index)}:${first}${first === last ? '' : `-${last}`}`
}
