import { escapeMarkup } from '@stickler/core/internal'
import type { Paint } from '../terminal/paint.ts'
import { clip } from '../terminal/text.ts'
import type { FileResult } from './file-result.ts'
import type { ReportWriter } from './report-writer.ts'
import { describeChecked } from './text/text-report.ts'
import { withoutCommands } from './workflow-commands.ts'

/** Metadata of the report. */
export interface JunitOptions {
  /** When the run started, as `2026-01-31T12:00:00`. */
  readonly timestamp: string
  /** The version of the command. */
  readonly version: string
  /** Without colours. */
  readonly paint: Paint
}

/** JUnit XML as Ant writes it and Jenkins and GitLab read it: one suite, one test case per file. */
export function junitReport({ timestamp, version, paint }: JunitOptions): ReportWriter {
  const cases: string[] = []
  let seconds = 0
  let failed = 0
  let errors = 0
  const unchecked: string[] = []
  const addCase = (name: string, time: number, content: string): string => {
    seconds += time
    const open = `    <testcase name="${attribute(name)}" classname="stickler.check" time="${time.toFixed(3)}"`
    cases.push(content === '' ? `${open}/>\n` : `${open}>\n${content}    </testcase>\n`)
    // The counts come before the cases.
    return ''
  }
  return {
    add: (result) => {
      const { kind, content } = outcomeOf(result, paint)
      if (kind === 'failure') failed++
      if (kind === 'error') errors++
      // Ant's format has no third outcome.
      if (kind === 'passed' && result.settled.status === 'unchecked') unchecked.push(xmlText(describeChecked(result, paint)))
      return addCase(result.name, result.ms / 1000, content)
    },
    addFault: (message) => {
      errors++
      return addCase(message, 0, `      <error message="${attribute(message)}" type="unreadable"/>\n`)
    },
    end: () => {
      const counts = `tests="${cases.length}" failures="${failed}" errors="${errors}"`
      const suite = `name="stickler" package="stickler" id="0" hostname="localhost" timestamp="${timestamp}"`
      return [
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
        `  <testsuite ${suite} ${counts} time="${seconds.toFixed(3)}">\n    <properties>\n      <property name="stickler.version" value="${attribute(version)}"/>\n    </properties>\n`,
        ...cases,
        `    <system-out>${unchecked.join('')}</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>\n`,
      ].join('')
    },
  }
}

function outcomeOf(result: FileResult, paint: Paint): { readonly kind: 'passed' | 'failure' | 'error'; readonly content: string } {
  const { settled, failed, fix } = result
  const text = (): string => xmlText(describeChecked(result, paint))
  if (fix?.kind === 'refused') return { kind: 'error', content: `      <error message="${attribute(fix.reason)}" type="unwritten"/>\n` }
  if (!failed) return { kind: 'passed', content: '' }
  if (settled.status === 'unchecked') {
    const message = attribute(settled.unchecked.map(({ validator, cause }) => `${validator}: ${cause}`).join(', '))
    return { kind: 'error', content: `      <error message="${message}" type="unchecked">${text()}</error>\n` }
  }
  const first = settled.issues[0] ?? settled.fixed[0]
  const message = attribute(first === undefined ? settled.status : `${first.code}: ${first.message}`)
  return { kind: 'failure', content: `      <failure message="${message}" type="${settled.status}">${text()}</failure>\n` }
}

/** A text as the value of an attribute: one line of limited length. */
export function attribute(text: string): string {
  return xmlText(clip(text))
}

/** Escapes printable text for XML: no markup, no characters that XML forbids, no workflow commands for GitHub. */
function xmlText(text: string): string {
  const allowed = escapeMarkup(text).replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff')
  return withoutCommands(allowed, '&#58;', '&#91;')
}
