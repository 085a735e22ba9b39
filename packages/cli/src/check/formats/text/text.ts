import { clip } from '../../../terminal/clip.ts'
import type { Paint } from '../../../terminal/paint.ts'
import type { FileResult } from '../../result.ts'
import type { ReportWriter } from '../report-writer.ts'
import { describeSummary } from '../summary.ts'
import { describeChecked } from './report.ts'

/** Options of the text report. */
export interface TextOptions {
  readonly paint: Paint
  /** Only failures. */
  readonly quiet: boolean
  /** With a summary line at the end. */
  readonly summary: boolean
}

/** The text report. */
export function textReport({ paint, quiet, summary }: TextOptions): ReportWriter {
  return {
    add: (result) =>
      quiet && !result.failed && result.fix?.kind !== 'refused' ? '' : describeChecked(result, paint) + describeFix(result, paint),
    end: ({ counts, exitCode }) => (summary && !(quiet && exitCode === 0) ? `${paint.bold(describeSummary(counts))}\n` : ''),
  }
}

function describeFix({ fix }: FileResult, paint: Paint): string {
  if (fix === undefined) return ''
  if (fix.kind === 'refused') return `  ${paint.red('not written')}: ${clip(fix.reason)}\n`
  return fix.kind === 'written' ? `  ${paint.green('written')}\n` : ''
}
