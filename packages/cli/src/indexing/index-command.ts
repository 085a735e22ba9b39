import { IndexingStopped, type IndexReport, indexFolder, RetrieverUnavailable } from '@stickler/ask/retrieval'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { exitCode } from '../exit-code.ts'
import { type IndexFlags, type OpenIndex, openIndex } from '../retrieval/open-index.ts'
import { safeJson } from '../terminal/printable.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { describeFolder, describeIndex, describeSkipped } from './describe-report.ts'
import { type FolderToIndex, findFolders } from './find-folders.ts'

interface IndexCommandFlags extends IndexFlags {
  readonly rebuild?: true
  readonly dryRun?: true
  readonly quiet?: true
  readonly json?: true
}

/** Defines `stickler index`. */
export function defineIndexCommand(command: Command, cli: Cli, end: (exitCode: number) => void): void {
  command
    .description(
      'Updates an index from folders of Markdown, text and code: only changed files are read, and deleted files are removed.\n' +
        'An interrupted run is resumed by the next one. Without a configuration the index is .stickler/index.db.\n' +
        'Exits with 0 when the index is up to date, 2 for an invalid command line or configuration, 3 when the index or the embeddings cannot be reached.',
    )
    .option('--config <file>', 'configuration file; default: ./stickler.yaml')
    .option('--collection <name>', 'the collection, instead of the configured one')
    .option('--rebuild', 'empty the collection first, for instance to change the embeddings')
    .option('--dry-run', 'only report what would be done')
    .option('--quiet', 'print only errors')
    .option('--json', 'print what was done as JSON')
    .action(async (folders: readonly string[], flags: IndexCommandFlags) => end(await index(folders, flags, cli)))
}

async function index(written: readonly string[], flags: IndexCommandFlags, cli: Cli): Promise<number> {
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
