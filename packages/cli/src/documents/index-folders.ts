import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { documentPath, documentsBelow, type IndexFacts, IndexingStopped, realPlace } from '@stickler/ask/internal'
import { type IndexEngine, type IndexReport, indexFolder, RetrieverUnavailable } from '@stickler/ask/retrieval'
import { FileFault, unlikeFile } from '@stickler/node/internal/files'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { isMissing, whyNot } from '../files/why-not.ts'
import { safeJson } from '../terminal/printable.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { clip, count } from '../terminal/text.ts'
import { type IndexFlags, type OpenIndex, openIndex } from './open-index.ts'

/** The options of `stickler index`. */
export interface IndexCommandFlags extends IndexFlags {
  readonly rebuild?: true
  readonly dryRun?: true
  readonly quiet?: true
  readonly json?: true
}

/** Updates an index from folders; resolves to the exit code. */
export async function indexFolders(written: readonly string[], flags: IndexCommandFlags, cli: Cli): Promise<number> {
  let open: OpenIndex | undefined
  try {
    open = await openIndex(flags, cli.io)
    const folders = await findFolders(written, open, cli.io.cwd)
    return await bringUpToDate(folders, open, flags, cli)
  } catch (error) {
    cli.signal.throwIfAborted()
    if (!(error instanceof IndexingStopped || error instanceof RetrieverUnavailable)) throw error
    cli.note(`${error.message}${error instanceof IndexingStopped ? '; progress is kept, run the command again to continue' : ''}`)
    return exitCode.upstream
  } finally {
    await open?.close()
  }
}

async function bringUpToDate(folders: readonly FolderToIndex[], open: OpenIndex, flags: IndexCommandFlags, cli: Cli): Promise<number> {
  const { engine, embedder } = open
  const { signal, io } = cli
  const started = io.now()
  if (flags.rebuild && !flags.dryRun) await engine.remove([...(await engine.fingerprints('', signal)).keys()], signal)
  const done: (IndexReport & FolderToIndex)[] = []
  for (const folder of folders) {
    const began = io.now()
    let bar: ProgressBar | undefined
    const onProgress = ({ files, total }: { readonly files: number; readonly total: number }): void => {
      if (flags.quiet) return
      bar ??= new ProgressBar(cli.stderr, io.now, total, 'files')
      bar.update(files, files)
    }
    const report = await indexFolder({ ...folder, engine, embedder, dryRun: flags.dryRun, onProgress, signal }).finally(() => bar?.clear())
    done.push({ ...folder, ...report })
    if (flags.quiet || flags.json) continue
    for (const line of describeSkipped(report)) cli.note(line)
    await cli.stdout.write(`${describeFolder(folder.written, report, { ms: io.now() - began, dryRun: flags.dryRun === true })}\n`)
  }
  const facts = await engine.facts(signal)
  const { collection } = open.settings
  if (flags.json) {
    const listed = done.map(({ root: _root, base: _base, written: folder, ...report }) => ({ folder, ...report }))
    const whole = {
      index: open.shown,
      collection,
      ...facts,
      dryRun: flags.dryRun === true,
      ms: Math.round(io.now() - started),
      folders: listed,
    }
    await cli.stdout.write(`${safeJson(whole, 2)}\n`)
  } else if (!flags.quiet) await cli.stdout.write(`${describeIndex(open.shown, collection, facts)}\n`)
  return exitCode.ok
}

/** A folder or file to index. */
interface FolderToIndex {
  /** As written on the command line. */
  readonly written: string
  readonly root: string
  /** What its paths in the index are relative to. */
  readonly base: string
  /** Its own path in the index. */
  readonly name: string
}

/** Finds all folders before reading any. A deleted folder may be named only if the index has documents from it. */
async function findFolders(
  written: readonly string[],
  { folder: base, engine }: { readonly folder: string; readonly engine: IndexEngine },
  cwd: string,
): Promise<readonly FolderToIndex[]> {
  return Promise.all(
    [...new Set(written)].map(async (folder) => {
      const root = resolve(cwd, folder)
      const fault = await stat(root).then(unlikeFile, (error: unknown) => error)
      const refuse = (): never => {
        throw new UsageError(`cannot index ${folder}: ${whyNot(fault)}`)
      }
      if (fault !== undefined && !isMissing(fault) && !(fault instanceof FileFault && fault.kind === 'folder')) refuse()
      const place = await realPlace({ root, base })
      if (isMissing(fault) && (await documentsBelow(place, engine)).size === 0) refuse()
      return { written: folder, ...place, name: documentPath(place) }
    }),
  )
}

/** The most skipped files that are named. */
const mostNamed = 10

/** The result for a folder, in one line. */
function describeFolder(
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
function describeIndex(shown: string, collection: string, { documents, chunks, embedding }: IndexFacts): string {
  const vectors = embedding === undefined ? 'no vectors' : `vectors of ${clip(embedding.name, 100)}`
  return `${clip(shown)} (${collection}): ${count(documents, 'document')}, ${count(chunks, 'chunk')}, ${vectors}`
}

/** The skipped files, with reasons. */
function describeSkipped({ skipped }: Pick<IndexReport, 'skipped'>): string[] {
  const named = skipped.slice(0, mostNamed).map(({ path, reason }) => `skipped ${clip(path)}: ${clip(reason)}`)
  return skipped.length <= mostNamed ? named : [...named, `skipped ${skipped.length - mostNamed} more; --json lists all`]
}
