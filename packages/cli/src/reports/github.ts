import type { Issue } from '@stickler/core'
import { clip } from '../terminal/text.ts'
import { type FileResult, isRepaired, newIssues } from './file-result.ts'
import { LineIndex } from './line-index.ts'
import { placeOf } from './place.ts'
import type { ReportFacts, ReportWriter } from './report-writer.ts'
import { describeSummary } from './tally.ts'
import { escapeCommand, withoutCommands } from './workflow-commands.ts'

type Level = 'error' | 'warning' | 'notice'
type Properties = Readonly<Record<string, string | number | undefined>>

/** Workflow commands that GitHub shows as line annotations, and a summary line. */
export function githubReport({ quiet, pathOf }: Pick<ReportFacts, 'pathOf'> & { readonly quiet: boolean }): ReportWriter {
  return {
    add: (result) => (quiet && !result.failed ? '' : annotate(result, pathOf).join('')),
    addFault: (message) => annotation('error', {}, message),
    end: ({ counts }) => `${withoutCommands(describeSummary(counts))}\n`,
  }
}

function annotate(result: FileResult, pathOf: ReportFacts['pathOf']): string[] {
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
    return annotation(isFixed && !result.failed ? 'notice' : issue.severity, properties, message.join('\n'))
  }
  return [
    ...settled.found.issues.map(about),
    // Their places are in another text.
    ...newIssues(settled).map(({ span: _span, ...issue }) => about(issue)),
    ...settled.unchecked.map(({ validator, cause, message }) =>
      annotation(result.failed ? 'error' : 'warning', { file, title: `${validator} unchecked` }, `${cause}: ${message}`),
    ),
    ...(fix?.kind === 'refused' ? [annotation('error', { file, title: 'not written' }, fix.reason)] : []),
  ]
}

function fixedNote({ fix }: FileResult): string {
  return fix?.kind === 'written' ? 'Repaired and written.' : 'stickler check --fix repairs it.'
}

/** A workflow command that GitHub shows as an annotation. */
export function annotation(level: Level, properties: Properties, message: string): string {
  const written = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeCommand(clip(String(value)), 'property')}`)
  const lines = message.split('\n').map((line) => clip(line))
  return `::${level}${written.length > 0 ? ` ${written.join(',')}` : ''}::${escapeCommand(lines.join('\n'), 'message')}\n`
}
