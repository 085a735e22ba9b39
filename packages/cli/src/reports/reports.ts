import type { Contract } from '@stickler/core'
import type { Cli } from '../cli.ts'
import { writeNamed } from '../files/write-file.ts'
import type { Output } from '../terminal/output.ts'
import { type Paint, plain } from '../terminal/paint.ts'
import { version } from '../version.ts'
import { pathInRoot, sourceRoot } from './place.ts'
import type { Format, OpenReport, ReportFacts, ReportFlags, ReportWriter } from './report-writer.ts'
import { textReport } from './text/text-report.ts'
import { guarded } from './workflow-commands.ts'

/** How the reports of a run are made. */
interface ReportsOptions<Name extends string, Result, End> {
  readonly cli: Cli
  readonly flags: Omit<ReportFlags<Name>, 'quiet'>
  /** Where one of them is printed. */
  readonly printed: Output
  /** Makes the writer of a format, which is not loaded before; what is written to files has no colours and is never filtered. */
  open(format: Name | 'text' | 'json', paint: Paint, isPrinted: boolean): ReportWriter<Result, End> | Promise<ReportWriter<Result, End>>
}

/** The reports of a run: the printed one, and those written to files. */
export class Reports<Result, End> {
  readonly #reports: readonly OpenReport<Result, End>[]

  private constructor(reports: readonly OpenReport<Result, End>[]) {
    this.#reports = reports
  }

  /** Opens those that the options ask for, beside others. */
  static async open<Name extends string, Result, End>(
    { cli, flags, printed, open }: ReportsOptions<Name, Result, End>,
    others: readonly OpenReport<Result, End>[] = [],
  ): Promise<Reports<Result, End>> {
    const { env, cwd } = cli.io
    const format = flags.json ? 'json' : (flags.format ?? 'text')
    const writer = await open(format, printed === cli.stdout ? cli.paintOut : cli.paintErr, true)
    const reports: OpenReport<Result, End>[] = [{ writer, write: (text) => printed.write(guarded(text, format, env)) }]
    for (const { format: other, file } of flags.output ?? []) {
      const pieces: string[] = []
      reports.push({
        writer: await open(other, plain, false),
        write: async (text) => void pieces.push(text),
        finish: () => writeNamed(file, pieces.join(''), cwd),
      })
    }
    return new Reports([...reports, ...others])
  }

  async begin(): Promise<void> {
    for (const { writer, write } of this.#reports) await write(writer.begin ?? '')
  }

  async add(result: Result): Promise<void> {
    for (const { writer, write } of this.#reports) await write(writer.add(result))
  }

  async addFault(message: string): Promise<void> {
    for (const { writer, write } of this.#reports) await write(writer.addFault?.(message) ?? '')
  }

  async end(ending: End): Promise<void> {
    for (const { writer, write, finish } of this.#reports) {
      await write(writer.end(ending))
      await finish?.()
    }
  }
}

/** What the reports of a command say beside its results. */
export function reportFacts({ io }: Cli): ReportFacts {
  const places = { root: sourceRoot(io), cwd: io.cwd }
  return {
    version: version(),
    timestamp: (io.date?.() ?? new Date(0)).toISOString().slice(0, 19),
    pathOf: (file) => pathInRoot(file, places),
  }
}

/** The writer of a report on files. */
export async function fileReport(
  format: Format,
  options: ReportFacts & { readonly contract: Contract; readonly paint: Paint; readonly quiet: boolean; readonly summary: boolean },
): Promise<ReportWriter> {
  switch (format) {
    case 'text':
      return textReport(options)
    case 'json':
      return (await import('./json.ts')).jsonReport()
    case 'sarif':
      return (await import('./sarif.ts')).sarifReport(options)
    case 'junit':
      return (await import('./junit.ts')).junitReport({ ...options, paint: plain })
    case 'github':
      return (await import('./github.ts')).githubReport(options)
  }
}
