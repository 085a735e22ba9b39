import type { Issue } from '@stickler/core'
import { clip } from '../terminal/text.ts'
import { type FileResult, isRepaired, newIssues } from './file-result.ts'
import { LineIndex } from './line-index.ts'
import { placeOf } from './place.ts'
import type { ReportWriter } from './report-writer.ts'
import { describeSummary } from './tally.ts'
import { escapeCommand, withoutCommands } from './workflow-commands.ts'

/** What annotations are written with. */
export interface GithubOptions {
  /** Only failures. */
  readonly quiet: boolean
  /** A file relative to the checkout. */
  pathOf(file: string): string
}

type Level = 'error' | 'warning' | 'notice'
type Properties = Readonly<Record<string, string | number | undefined>>

/** Workflow commands that GitHub shows as line annotations, and a summary line. */
export function githubReport({ quiet, pathOf }: GithubOptions): ReportWriter {
  return {
    add: (result) => (quiet && !result.failed ? '' : annotate(result, pathOf).join('')),
    addFault: (message) => command('error', {}, message),
    end: ({ counts }) => `${withoutCommands(describeSummary(counts))}\n`,
  }
}

function annotate(result: FileResult, pathOf: GithubOptions['pathOf']): string[] {
  const { answer, settled, fix } = result
  const file = result.file === undefined ? undefined : pathOf(result.file)
  const lines = new LineIndex(answer.text)
  const about = (issue: Issue): string => {
    const place = issue.span && placeOf(issue.span, lines)
    const isFixed = isRepaired(result, issue)
    const properties = {
      file,
      line: place?.line,
      endLine: place?.endLine,
      // GitHub ignores columns of more than one line.
      col: place?.line === place?.endLine ? place?.column : undefined,
      endColumn: place?.line === place?.endLine ? place?.endColumn : undefined,
      title: issue.code,
    }
    const message = [
      issue.message,
      ...(issue.hint === undefined ? [] : [issue.hint]),
      ...(isFixed && result.isFixable ? [fixedNote(result)] : []),
    ]
    return command(isFixed && !result.failed ? 'notice' : issue.severity, properties, message.join('\n'))
  }
  return [
    ...settled.found.issues.map(about),
    // Their places are in another text.
    ...newIssues(settled).map(({ span: _span, ...issue }) => about(issue)),
    ...settled.unchecked.map(({ validator, cause, message }) =>
      command(result.failed ? 'error' : 'warning', { file, title: `${validator} unchecked` }, `${cause}: ${message}`),
    ),
    ...(fix?.kind === 'refused' ? [command('error', { file, title: 'not written' }, fix.reason)] : []),
  ]
}

function fixedNote({ fix }: FileResult): string {
  return fix?.kind === 'written' ? 'Repaired and written.' : 'stickler check --fix repairs it.'
}

/** An annotation as a workflow command. */
export function command(level: Level, properties: Properties, message: string): string {
  const written = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeCommand(clip(String(value)), 'property')}`)
  const lines = message.split('\n').map((line) => clip(line))
  return `::${level}${written.length > 0 ? ` ${written.join(',')}` : ''}::${escapeCommand(lines.join('\n'), 'message')}\n`
}
