import type { Issue, TextSpan } from '@stickler/core'
import type { Paint } from '../../terminal/paint.ts'
import { clip } from '../../terminal/text.ts'
import type { LineIndex } from '../line-index.ts'
import { excerpt } from './excerpt.ts'

/** A text that issues point into. */
export interface Source {
  /** A file name, or another display name. */
  readonly name: string
  readonly text: string
  readonly lines: LineIndex
}

/** An issue as text: `file:line:column severity CODE message`, the excerpt, the hint and the suggested value. */
export function describeIssue(issue: Issue, source: Source, isFixed: boolean, paint: Paint): string[] {
  const { code, severity, message, hint, span, path, suggestion } = issue
  const place = span ? source.lines.positionAt(span.start) : undefined
  const where = `${clip(source.name)}${place ? `:${place.line}:${place.column}` : ''}`
  const colour = severity === 'error' ? paint.red : paint.yellow
  const inValue = path === undefined || path.length === 0 ? '' : paint.dim(` (${clip(path.join('.'))})`)
  return [
    `${where} ${colour(severity)} ${paint.bold(clip(code))} ${clip(message)}${inValue}${isFixed ? paint.green(' (repaired)') : ''}`,
    ...(span && place ? describePlace(source, span, place.line, paint) : []),
    ...(hint === undefined ? [] : [`  hint: ${clip(hint)}`]),
    ...(suggestion === undefined || hint?.includes(JSON.stringify(suggestion)) ? [] : [`  did you mean: ${clip(suggestion)}`]),
  ]
}

function describePlace({ text, lines }: Source, span: TextSpan, line: number, paint: Paint): string[] {
  const [shown, mark] = excerpt(text, lines, span)
  const gutter = String(line)
  return [`  ${paint.dim(`${gutter} |`)} ${shown}`.trimEnd(), `  ${paint.dim(`${' '.repeat(gutter.length)} |`)} ${paint.red(mark)}`]
}
