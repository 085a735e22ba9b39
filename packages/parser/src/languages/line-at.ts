import { positionAt } from '@stickler/core/internal'

/** The line that an offset is in, without its line break; cut where it is longer than any message needs. */
export function lineAt(source: string, offset: number): string {
  const start = offset - positionAt(source, offset).column + 1
  return /^[^\r\n]*/.exec(source.slice(start, start + 400))?.[0] ?? ''
}
