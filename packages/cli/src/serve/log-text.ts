import { isFields, parseJson } from '@stickler/core/internal'
import type { Paint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'

const colours: Readonly<Record<string, keyof Paint>> = { debug: 'dim', info: 'cyan', warn: 'yellow', error: 'red' }

/** Makes lines of the log readable for people: the time, the level, the message, then the fields. */
export function logText(lines: string, paint: Paint): string {
  return lines.replaceAll(/[^\n]+/g, (line) => lineText(line, paint))
}

function lineText(line: string, paint: Paint): string {
  const fields = parseJson(line)
  if (!isFields(fields)) return printable(line)
  const { level, time, msg, err, ...rest } = fields
  const name = typeof level === 'string' ? level : ''
  const clock = typeof time === 'number' ? new Date(time).toISOString().slice(11, 23) : ''
  const members = Object.entries(isFields(err) ? { ...rest, ...prefixed(err) } : rest)
  return [
    paint.dim(clock),
    paint[colours[name] ?? 'bold'](name.padEnd(5)),
    ...(typeof msg === 'string' && msg !== '' ? [paint.bold(printable(msg))] : []),
    ...members.map(([key, value]) => `${paint.dim(`${printable(key)}=`)}${valueText(value)}`),
  ].join(' ')
}

/** The stack is for programs: too long for a terminal. */
function prefixed({ frames: _frames, ...error }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(error).map(([key, value]) => [`error.${key}`, value]))
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',')
  if (typeof value !== 'string') return printable(JSON.stringify(value))
  return /^[^\s"=,]+$/.test(value) ? printable(value) : printable(JSON.stringify(value))
}
