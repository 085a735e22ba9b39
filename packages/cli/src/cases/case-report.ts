import { type CaseResult, describeDifferences, type WrittenCase } from '@stickler/node/internal/config'
import { annotation } from '../reports/github.ts'
import { JunitSuite } from '../reports/junit.ts'
import type { ReportFacts, ReportWriter } from '../reports/report-writer.ts'
import { withoutCommands } from '../reports/workflow-commands.ts'
import type { Paint } from '../terminal/paint.ts'
import { safeJson } from '../terminal/printable.ts'
import { clip, count } from '../terminal/text.ts'

/** The formats of reports on cases. */
export const caseFormats = ['text', 'json', 'junit', 'github'] as const

/** One of `text`, `json`, `junit`, `github`. */
export type CaseFormat = (typeof caseFormats)[number]

/** A case that was run. */
export interface FinishedCase {
  readonly file: string
  readonly written: WrittenCase
  readonly result: CaseResult
  readonly ms: number
}

/** How many cases passed and failed. */
export interface CaseCounts {
  readonly passed: number
  readonly failed: number
}

/** Writes a report on cases. */
type CaseReport = ReportWriter<FinishedCase, CaseCounts>

/** What reports need. */
interface CaseReportOptions extends ReportFacts {
  readonly paint: Paint
  readonly quiet: boolean
}

/** Makes the report of a format. */
export function caseReport(format: CaseFormat, options: CaseReportOptions): CaseReport {
  switch (format) {
    case 'text':
      return textReport(options)
    case 'json':
      return jsonReport()
    case 'junit':
      return junitReport(options)
    case 'github':
      return githubReport(options)
  }
}

const hasPassed = ({ result }: FinishedCase): boolean => result.differences.length === 0

function placeOf({ written: { position } }: FinishedCase): string {
  return `${position.file}:${position.line}:${position.column}`
}

/** What differs, and what the checks say about it. */
function detailsOf({ result: { differences, settled } }: FinishedCase): readonly string[] {
  return [
    ...describeDifferences(differences).split('\n'),
    ...settled.found.issues.map(({ code, message }) => `${code}: ${message}`),
    ...settled.unchecked.map(({ validator, cause, message }) => `${validator} could not run (${cause}): ${message}`),
  ]
}

/** One line about all cases: `3 cases: 2 passed, 1 failed`. */
function summaryOf({ passed, failed }: CaseCounts): string {
  const parts = [...(passed > 0 ? [`${passed} passed`] : []), ...(failed > 0 ? [`${failed} failed`] : [])]
  return `${count(passed + failed, 'case')}: ${parts.join(', ')}`
}

function textReport({ paint, quiet }: CaseReportOptions): CaseReport {
  let file = ''
  return {
    add(one) {
      if (quiet && hasPassed(one)) return ''
      const head = one.file === file ? '' : `${paint.bold(clip(one.file))}\n`
      file = one.file
      if (hasPassed(one)) return `${head}  ${paint.green('ok')}    ${clip(one.written.name)}\n`
      const details = detailsOf(one).map((line) => `        ${clip(line)}\n`)
      return `${head}  ${paint.red('FAIL')}  ${clip(one.written.name)} (${clip(placeOf(one))})\n${details.join('')}`
    },
    end: (counts) => (quiet && counts.failed === 0 ? '' : `${paint.bold(summaryOf(counts))}\n`),
  }
}

function jsonReport(): CaseReport {
  let written = 0
  return {
    add(one) {
      const { name, position } = one.written
      const { differences, settled } = one.result
      const issues = settled.found.issues.map(({ code, message, severity }) => ({ code, message, severity }))
      const data = { file: one.file, line: position.line, name, passed: hasPassed(one), status: settled.status, differences, issues }
      return `${written++ === 0 ? '{"cases":[\n' : ',\n'}${safeJson(data)}`
    },
    end: (counts) => `${written === 0 ? '{"cases":[' : ''}\n],"passed":${counts.passed},"failed":${counts.failed}}\n`,
  }
}

function junitReport(options: CaseReportOptions): CaseReport {
  const suite = new JunitSuite(options, 'stickler.test')
  return {
    add(one) {
      const [message = '', ...more] = detailsOf(one)
      const text = [placeOf(one), message, ...more].map((line) => `${clip(line)}\n`).join('')
      const outcome = hasPassed(one) ? undefined : { kind: 'failure' as const, message, type: one.result.settled.status, text }
      suite.add(`${one.file} ${one.written.name}`, one.ms / 1000, outcome)
      return ''
    },
    end: () => suite.end(),
  }
}

function githubReport({ pathOf }: CaseReportOptions): CaseReport {
  return {
    add: (one) =>
      hasPassed(one)
        ? ''
        : annotation(
            'error',
            { file: pathOf(one.file), line: one.written.position.line, col: one.written.position.column, title: one.written.name },
            detailsOf(one).join('\n'),
          ),
    end: (counts) => `${withoutCommands(summaryOf(counts))}\n`,
  }
}
