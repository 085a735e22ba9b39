import type { IndexFacts, IndexReport } from '@stickler/ask/retrieval'
import { clip } from '../terminal/clip.ts'
import { count } from '../terminal/count.ts'

/** The most skipped files that are named. */
const mostNamed = 10

/** The result for a folder, in one line. */
export function describeFolder(
  folder: string,
  { added, changed, removed, unchanged, skipped, chunks }: IndexReport,
  { ms, dryRun }: { readonly ms: number; readonly dryRun: boolean },
): string {
  const files = [
    `${added.length} added`,
    `${changed.length} changed`,
    `${removed.length} removed`,
    `${unchanged} unchanged`,
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
  ]
  const work = dryRun ? `${count(chunks, 'chunk')} would be written` : `${count(chunks, 'chunk')} in ${(ms / 1000).toFixed(1)} s`
  return `${clip(folder)}: ${files.join(', ')}; ${work}`
}

/** What an index holds, in one line. */
export function describeIndex(shown: string, collection: string, { documents, chunks, embedding }: IndexFacts): string {
  const vectors = embedding === undefined ? 'no vectors' : `vectors of ${clip(embedding.name, 100)}`
  return `${clip(shown)} (${collection}): ${count(documents, 'document')}, ${count(chunks, 'chunk')}, ${vectors}`
}

/** The skipped files, with reasons. */
export function describeSkipped({ skipped }: Pick<IndexReport, 'skipped'>): string[] {
  const named = skipped.slice(0, mostNamed).map(({ path, reason }) => `skipped ${clip(path)}: ${clip(reason)}`)
  return skipped.length <= mostNamed ? named : [...named, `skipped ${skipped.length - mostNamed} more; --json lists all`]
}
