import { escapeMarkup } from '@stickler/core/internal'
import type { Paint } from '../terminal/paint.ts'
import { clip } from '../terminal/text.ts'
import type { FileResult } from './file-result.ts'
import type { ReportFacts, ReportWriter } from './report-writer.ts'
import { describeChecked } from './text/text-report.ts'
import { withoutCommands } from './workflow-commands.ts'

interface SuiteOptions extends Pick<ReportFacts, 'timestamp' | 'version'> {
  /** By default the name of the command. */
  readonly name?: string
  readonly properties?: Readonly<Record<string, string>>
}

/** The outcome of a test case that did not pass. */
export interface JunitOutcome {
  readonly kind: 'failure' | 'error'
  readonly message: string
  readonly type: string
  /** More about it, printable. */
  readonly text?: string
}

/** One suite of JUnit XML; the counts come before the cases, so that all of it is written at the end. */
export class JunitSuite {
  readonly #options: SuiteOptions
  readonly #className: string
  readonly #cases: string[] = []
  #seconds = 0
  readonly #counts = { failure: 0, error: 0 }

  constructor(options: SuiteOptions, className: string) {
    this.#options = options
    this.#className = className
  }

  /** Adds a case, below the class of the suite if it has a part of its own. */
  add(name: string, seconds: number, outcome?: JunitOutcome, part?: string): void {
    this.#seconds += seconds
    const className = part === undefined ? this.#className : `${this.#className}.${attribute(part)}`
    const open = `    <testcase name="${attribute(name)}" classname="${className}" time="${seconds.toFixed(3)}"`
    if (outcome !== undefined) this.#counts[outcome.kind]++
    this.#cases.push(outcome === undefined ? `${open}/>\n` : `${open}>\n${elementOf(outcome)}    </testcase>\n`)
  }

  /** The whole document; `output` is escaped already. */
  end(output = ''): string {
    const { timestamp, version, name = 'stickler', properties = {} } = this.#options
    const told = Object.entries({ 'stickler.version': version, ...properties })
    const counts = `tests="${this.#cases.length}" failures="${this.#counts.failure}" errors="${this.#counts.error}"`
    const suite = `name="${attribute(name)}" package="stickler" id="0" hostname="localhost" timestamp="${timestamp}"`
    return [
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
      `  <testsuite ${suite} ${counts} time="${this.#seconds.toFixed(3)}">\n    <properties>\n`,
      ...told.map(([key, value]) => `      <property name="${key}" value="${attribute(value)}"/>\n`),
      '    </properties>\n',
      ...this.#cases,
      `    <system-out>${output}</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>\n`,
    ].join('')
  }
}

function elementOf({ kind, message, type, text }: JunitOutcome): string {
  const open = `      <${kind} message="${attribute(message)}" type="${type}"`
  return text === undefined ? `${open}/>\n` : `${open}>${xmlText(text)}</${kind}>\n`
}

/** JUnit XML as Ant writes it and Jenkins and GitLab read it: one suite, one test case per file. */
export function junitReport({ timestamp, version, paint }: ReportFacts & { readonly paint: Paint }): ReportWriter {
  const suite = new JunitSuite({ timestamp, version }, 'stickler.check')
  const unchecked: string[] = []
  return {
    add: (result) => {
      const outcome = outcomeOf(result, paint)
      // Ant's format has no third outcome.
      if (outcome === undefined && result.settled.status === 'unchecked') unchecked.push(xmlText(describeChecked(result, paint)))
      suite.add(result.name, result.ms / 1000, outcome)
      return ''
    },
    addFault: (message) => {
      suite.add(message, 0, { kind: 'error', message, type: 'unreadable' })
      return ''
    },
    end: () => suite.end(unchecked.join('')),
  }
}

function outcomeOf(result: FileResult, paint: Paint): JunitOutcome | undefined {
  const { settled, failed, fix } = result
  if (fix?.kind === 'refused') return { kind: 'error', message: fix.reason, type: 'unwritten' }
  if (!failed) return undefined
  const text = describeChecked(result, paint)
  if (settled.status === 'unchecked') {
    const message = settled.unchecked.map(({ validator, cause }) => `${validator}: ${cause}`).join(', ')
    return { kind: 'error', message, type: 'unchecked', text }
  }
  const first = settled.issues[0] ?? settled.fixed[0]
  const message = first === undefined ? settled.status : `${first.code}: ${first.message}`
  return { kind: 'failure', message, type: settled.status, text }
}

/** A text as the value of an attribute: one line of limited length. */
function attribute(text: string): string {
  return xmlText(clip(text))
}

/** Escapes printable text for XML: no markup, no characters that XML forbids, no workflow commands for GitHub. */
function xmlText(text: string): string {
  const allowed = escapeMarkup(text).replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff')
  return withoutCommands(allowed, '&#58;', '&#91;')
}
