import { resolve } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { whyNot } from '../files/why-not.ts'
import { replaceFile } from '../files/write-file.ts'
import { pathInRoot, sourceRoot } from '../reports/place.ts'
import { withoutCommands } from '../reports/workflow-commands.ts'
import { paintFor } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { version } from '../version.ts'
import { type CaseFormat, type CaseReport, caseReport } from './case-report.ts'
import { type CaseFlags, findCaseFiles, runCases } from './run-cases.ts'
import { changeIn } from './watch-files.ts'

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
  const plain = paintFor({ ...io.stdout, isTTY: false } as typeof io.stdout, io.env)
  const places = { root: sourceRoot(io), cwd: io.cwd }
  const options = {
    version: version(),
    timestamp: (io.date?.() ?? new Date(0)).toISOString().slice(0, 19),
    pathOf: (file: string) => pathInRoot(file, places),
  }
  const printed = caseReport(flags.format, { ...options, paint: cli.paintOut, quiet: flags.quiet === true })
  const guarded = (text: string): string => (flags.format === 'text' && io.env.GITHUB_ACTIONS ? withoutCommands(text) : text)
  const others = (flags.output ?? []).map(({ format, file }) => ({
    file,
    report: caseReport(format, { ...options, paint: plain, quiet: false }),
    pieces: [] as string[],
  }))
  const counts = { passed: 0, failed: 0 }
  for await (const one of runCases(files, flags, cli)) {
    counts[one.result.differences.length === 0 ? 'passed' : 'failed']++
    await stdout.write(guarded(printed.add(one)))
    for (const { report, pieces } of others) pieces.push(report.add(one))
  }
  await stdout.write(guarded(printed.end(counts)))
  for (const { file, report, pieces } of others) await write(file, pieces, report, counts, cli)
  return counts.failed > 0 ? exitCode.violated : exitCode.ok
}

async function write(
  file: string,
  pieces: readonly string[],
  report: CaseReport,
  counts: { passed: number; failed: number },
  { io }: Cli,
): Promise<void> {
  try {
    await replaceFile(resolve(io.cwd, file), pieces.join('') + report.end(counts))
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${whyNot(error)}`)
  }
}
