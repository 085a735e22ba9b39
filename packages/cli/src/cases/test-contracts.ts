import { watch } from 'node:fs'
import { ConfigurationError } from '@stickler/core'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { writeNamed } from '../files/write-file.ts'
import { pathInRoot, sourceRoot } from '../reports/place.ts'
import { guarded } from '../reports/workflow-commands.ts'
import { plain } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { version } from '../version.ts'
import { type CaseFormat, caseReport } from './case-report.ts'
import { type CaseFlags, findCaseFiles, runCases } from './run-cases.ts'

/** The command line options of `stickler test`. */
export interface TestFlags extends CaseFlags {
  readonly format: CaseFormat
  readonly output?: readonly { readonly format: CaseFormat; readonly file: string }[]
  readonly quiet?: true
  readonly watch?: true
}

/** Runs the cases of contracts; resolves to the exit code, with --watch only when it is interrupted. */
export async function testContracts(written: readonly string[], flags: TestFlags, cli: Cli): Promise<number> {
  if (!flags.watch) return testOnce(await findCaseFiles(written, cli), flags, cli)
  for (;;) {
    // Watching begins before the cases are read, so that no change is missed.
    const change = changeIn(cli.io.cwd, cli.signal)
    try {
      await testOnce(await findCaseFiles(written, cli), flags, cli)
    } catch (error) {
      cli.signal.throwIfAborted()
      if (!(error instanceof UsageError || error instanceof ConfigurationError)) throw error
      for (const line of error.message.split('\n')) cli.stderr.say(`${printable(line)}\n`)
    }
    cli.note('watching for changes; Ctrl-C stops')
    cli.note(`${await change} changed`)
  }
}

async function testOnce(files: readonly string[], flags: TestFlags, cli: Cli): Promise<number> {
  const { io, stdout } = cli
  const places = { root: sourceRoot(io), cwd: io.cwd }
  const options = {
    version: version(),
    timestamp: (io.date?.() ?? new Date(0)).toISOString().slice(0, 19),
    pathOf: (file: string) => pathInRoot(file, places),
  }
  const printed = caseReport(flags.format, { ...options, paint: cli.paintOut, quiet: flags.quiet === true })
  const print = (text: string): Promise<void> => stdout.write(guarded(text, flags.format, io.env))
  const others = (flags.output ?? []).map(({ format, file }) => ({
    file,
    report: caseReport(format, { ...options, paint: plain, quiet: false }),
    pieces: [] as string[],
  }))
  const counts = { passed: 0, failed: 0 }
  for await (const one of runCases(files, flags, cli)) {
    counts[one.result.differences.length === 0 ? 'passed' : 'failed']++
    await print(printed.add(one))
    for (const { report, pieces } of others) pieces.push(report.add(one))
  }
  await print(printed.end(counts))
  for (const { file, report, pieces } of others) await writeNamed(file, pieces.join('') + report.end(counts), io.cwd)
  return counts.failed > 0 ? exitCode.violated : exitCode.ok
}

/** Files that cases and contracts are written in. */
const relevant = /\.(?:ya?ml|json|mjs|js|ts)$/
/** Editors write a file in several steps. */
const settleMs = 100

/** Watches a folder and those below it from now on; resolves to the name of a relevant file that changed. */
function changeIn(folder: string, signal: AbortSignal): Promise<string> {
  const changed = new Promise<string>((resolve, reject) => {
    const watcher = watch(folder, { recursive: true })
    let timer: NodeJS.Timeout | undefined
    const end = (finish: () => void): void => {
      clearTimeout(timer)
      watcher.close()
      signal.removeEventListener('abort', abort)
      finish()
    }
    const abort = (): void => end(() => reject(signal.reason))
    watcher.on('change', (_event, given) => {
      const name = String(given)
      if (timer !== undefined || !relevant.test(name) || /(?:^|[/\\])node_modules[/\\]/.test(name)) return
      timer = setTimeout(() => end(() => resolve(name)), settleMs)
    })
    watcher.on('error', (error) => end(() => reject(error)))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  // A rejection may come before anybody waits.
  changed.catch(() => {})
  return changed
}
