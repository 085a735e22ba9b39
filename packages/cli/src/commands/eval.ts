import type { EvalFlags } from '../evaluation/eval-recordings.ts'
import type { CommandRecord } from './command.ts'

/** `stickler eval`. */
export const evaluate: CommandRecord = {
  name: 'eval',
  summary: 'evaluate a contract on recorded answers',
  arguments: { '[recordings...]': 'files of recorded answers, folders, globs in quotes (!glob skips), or - for standard input' },
  description:
    'Judges recorded answers by a contract, compares it with another contract or with accepted verdicts, and reports what changes.\n' +
    'Exits with 0 when all gates are passed, 1 when one is not or an answer cannot be read, 2 when a file or the configuration is wrong, 3 when a model cannot be called.',
  options: async (command) => (await import('../evaluation/eval-recordings.ts')).addEvalOptions(command),
  run: async (files, flags: EvalFlags, { cli }) => (await import('../evaluation/eval-recordings.ts')).evalRecordings(files, flags, cli),
}
