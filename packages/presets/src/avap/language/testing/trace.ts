import { traceLine } from '@stickler/core/validators'
import { avapLanguage } from '../index.ts'

const parse = await avapLanguage().load()

/** The trace of a program, one line for each fault. */
export function trace(...lines: readonly string[]): readonly string[] {
  return parse(lines.join('\n')).map(traceLine)
}
