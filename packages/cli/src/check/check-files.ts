import type { Cli } from '../cli.ts'
import { buildChosen } from '../config/choose-contract.ts'
import type { FileResult } from '../reports/file-result.ts'
import { slashed } from '../reports/place.ts'
import type { Ending, Format } from '../reports/report-writer.ts'
import { fileReport, Reports, reportFacts } from '../reports/reports.ts'
import { unifiedDiff } from '../reports/unified-diff.ts'
import { printableLines } from '../terminal/printable.ts'
import type { CheckJob } from './check-job.ts'
import type { CheckFlags } from './check-options.ts'
import { checkTexts } from './check-texts.ts'

/** Everything beside the job. */
interface FilesOptions {
  readonly flags: CheckFlags
  /** What could not be found or read before. */
  readonly faults: readonly string[]
  /** Whether there is more than one file, so that a summary is useful. */
  readonly several: boolean
}

/** Checks files and reports on them; writes or prints repairs when requested. */
export async function checkFiles(job: CheckJob, { flags, faults, several }: FilesOptions): Promise<void> {
  const { cli, tally, progress } = job
  const contract = buildChosen(job.choice, cli.note)
  const printsText = flags.fix === true && !flags.dryRun && job.inputs.some(({ file }) => file === undefined)
  const aside = flags.dryRun === true || printsText
  const facts = reportFacts(cli)
  const summary = flags.format === 'github' && !flags.json ? cli.io.env.GITHUB_STEP_SUMMARY : undefined
  const reports = await Reports.open<Format, FileResult, Ending>(
    {
      cli,
      flags,
      // Standard output carries an answer or a diff.
      printed: aside ? cli.stderr : cli.stdout,
      open: (format, paint, isPrinted) =>
        fileReport(format, { ...facts, contract, paint, quiet: isPrinted && flags.quiet === true, summary: several || !isPrinted }),
    },
    summary ? [(await import('../reports/step-summary.ts')).stepSummary(summary, cli)] : [],
  )
  const diffs = flags.dryRun ? await diffPrinter(cli) : undefined
  const deliver = async (result: FileResult): Promise<void> => {
    if (cli.stdout.isTerminal || aside) progress.clear()
    await diffs?.add(result)
    if (printsText) await cli.stdout.write(shown(textOf(result), cli))
    await reports.add(result)
  }
  await reports.begin()
  for (const fault of faults) await reports.addFault(fault)
  const fix = flags.dryRun ? 'show' : flags.fix ? 'write' : 'no'
  await checkTexts(job, {
    contract,
    fix,
    allowEmpty: flags.allowEmpty === true,
    deliver,
    deliverFault: (message) => reports.addFault(message),
  })
  await diffs?.end()
  await reports.end({ counts: tally.counts, exitCode: tally.exitCode })
}

/** The repaired text, or the original when it cannot be repaired, so that a pipe loses nothing. */
function textOf({ fix, answer }: FileResult): string {
  return fix?.kind === 'proposed' ? fix.after : answer.text
}

/** Piped data is passed through unchanged; a terminal would act on control characters. */
function shown(text: string, { stdout }: Cli): string {
  return stdout.isTerminal ? printableLines(text) : text
}

/** Prints diffs. On GitHub, workflow commands are stopped meanwhile because a line of a file could be one; `patch` skips the two marker lines. */
async function diffPrinter(cli: Cli): Promise<{ add(result: FileResult): Promise<void>; end(): Promise<void> }> {
  const token = cli.io.env.GITHUB_ACTIONS ? (await import('node:crypto')).randomUUID() : undefined
  let started = false
  return {
    add: async ({ file = 'stdin', fix, secrets }) => {
      if (fix?.kind !== 'proposed') return
      if (!started && token !== undefined) await cli.stdout.write(`::stop-commands::${token}\n`)
      started = true
      await cli.stdout.write(shown(unifiedDiff(slashed(file), secrets.hide(fix.before), secrets.hide(fix.after)), cli))
    },
    end: async () => {
      if (started && token !== undefined) await cli.stdout.write(`::${token}::\n`)
    },
  }
}
