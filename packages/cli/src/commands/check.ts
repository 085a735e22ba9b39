import type { CheckFlags } from '../check/check-options.ts'
import type { CommandRecord } from './command.ts'

/** `stickler check`. */
export const check: CommandRecord = {
  name: 'check',
  summary: 'check answers in files',
  arguments: { '[file...]': 'files, folders, globs in quotes (!glob skips), or - for standard input' },
  description:
    'Checks answers in files, or on standard input for -, and reports what is wrong and what a repair would change.\n' +
    'Exits with 0 when all answers keep their contracts, 1 when one breaks its contract or is withheld unchecked, 2 when a file could not be read or written.',
  options: async (command) => (await import('../check/check-options.ts')).addCheckOptions(command),
  run: async (files, flags: CheckFlags, { cli }) => (await import('../check/check-answers.ts')).checkAnswers(files, flags, cli),
}
