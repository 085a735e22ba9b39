import { watch } from 'node:fs'
import { ConfigurationError } from '@stickler/core'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import type { ReportFlags } from '../reports/report-writer.ts'
import { Reports, reportFacts } from '../reports/reports.ts'
import { printable } from '../terminal/printable.ts'
import { type CaseCounts, type CaseFormat, caseReport, type FinishedCase } from './case-report.ts'
import { type CaseFlags, findCaseFiles, runCases } from './run-cases.ts'

/** The command line options of `stickler test`. */
export interface TestFlags extends CaseFlags, ReportFlags<CaseFormat> {
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
  const facts = reportFacts(cli)
  const reports = await Reports.open<CaseFormat, FinishedCase, CaseCounts>({
    cli,
    flags,
    printed: cli.stdout,
    open: (format, paint, isPrinted) => caseReport(format, { ...facts, paint, quiet: isPrinted && flags.quiet === true }),
  })
  const counts = { passed: 0, failed: 0 }
  for await (const one of runCases(files, flags, cli)) {
    counts[one.result.differences.length === 0 ? 'passed' : 'failed']++
    await reports.add(one)
  }
  await reports.end(counts)
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
