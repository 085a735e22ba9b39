import type { Contract } from '@stickler/core'
import type { Cli } from '../cli.ts'
import { writeNamed } from '../files/write-file.ts'
import type { Output } from '../terminal/output.ts'
import { plain } from '../terminal/paint.ts'
import type { FileResult } from './file-result.ts'
import { pathInRoot, sourceRoot } from './place.ts'
import type { Ending, Format, ReportFlags, ReportWriter } from './report-writer.ts'
import { textReport } from './text/text-report.ts'
import { guarded } from './workflow-commands.ts'

/** Inputs of the reports. */
interface ReportsOptions {
  readonly cli: Cli
  readonly flags: ReportFlags
  readonly contract: Contract
  /** The version of the command. */
  readonly version: string
  /** Whether to print a summary line. */
  readonly summary: boolean
  /** Where the text report goes when standard output carries an answer or a diff. */
  readonly aside: boolean
}

interface OpenReport {
  readonly writer: ReportWriter
  write(text: string): Promise<void>
  finish?(): Promise<void>
}

/** The reports of a run: the printed one, and those written to files. */
export class Reports {
  readonly #reports: readonly OpenReport[]

  private constructor(reports: readonly OpenReport[]) {
    this.#reports = reports
  }

  /** Opens those that the options ask for; other formats are not loaded. */
  static async open(options: ReportsOptions): Promise<Reports> {
    const { cli, flags } = options
    const format = flags.json ? 'json' : (flags.format ?? 'text')
    const printed = options.aside ? cli.stderr : cli.stdout
    const reports: OpenReport[] = [
      { writer: await open(format, options, printed), write: (text) => printed.write(guarded(text, format, cli.io.env)) },
    ]
    for (const output of flags.output ?? []) reports.push(intoFile(await open(output.format, options), output.file, cli))
    const summary = format === 'github' ? cli.io.env.GITHUB_STEP_SUMMARY : undefined
    if (summary) reports.push((await import('./step-summary.ts')).stepSummary(summary, cli))
    return new Reports(reports)
  }

  async begin(): Promise<void> {
    for (const { writer, write } of this.#reports) await write(writer.begin ?? '')
  }

  async add(result: FileResult): Promise<void> {
    for (const { writer, write } of this.#reports) await write(writer.add(result))
  }

  async addFault(message: string): Promise<void> {
    for (const { writer, write } of this.#reports) await write(writer.addFault?.(message) ?? '')
  }

  async end(ending: Ending): Promise<void> {
    for (const { writer, write, finish } of this.#reports) {
      await write(writer.end(ending))
      await finish?.()
    }
  }
}

async function open(format: Format, options: ReportsOptions, printed?: Output): Promise<ReportWriter> {
  const { cli, flags, contract, version, summary } = options
  const { io } = cli
  const places = { root: sourceRoot(io), cwd: io.cwd }
  const pathOf = (file: string): string => pathInRoot(file, places)
  // Reports in files are never filtered.
  const quiet = printed !== undefined && flags.quiet === true
  switch (format) {
    case 'text': {
      const paint = printed === undefined ? plain : printed === cli.stdout ? cli.paintOut : cli.paintErr
      return textReport({ paint, quiet, summary: summary || printed === undefined })
    }
    case 'json':
      return (await import('./json.ts')).jsonReport()
    case 'sarif':
      return (await import('./sarif.ts')).sarifReport({ contract, version, pathOf })
    case 'junit':
      return (await import('./junit.ts')).junitReport({
        timestamp: (io.date?.() ?? new Date(0)).toISOString().slice(0, 19),
        version,
        paint: plain,
      })
    case 'github':
      return (await import('./github.ts')).githubReport({ quiet, pathOf })
  }
}

function intoFile(writer: ReportWriter, file: string, { io }: Cli): OpenReport {
  const pieces: string[] = []
  return {
    writer,
    write: async (text) => void pieces.push(text),
    finish: async () => {
      await writeNamed(file, pieces.join(''), io.cwd)
    },
  }
}
