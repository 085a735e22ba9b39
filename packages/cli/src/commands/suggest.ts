import type { SuggestFlags } from '../suggest/suggest-contract.ts'
import { wholeNumber } from '../whole-number.ts'
import type { CommandRecord } from './command.ts'

/** `stickler suggest`. */
export const suggest: CommandRecord = {
  name: 'suggest',
  summary: 'propose a contract from recorded answers',
  arguments: { '[file...]': 'recorded answers of one format, or - for standard input' },
  description:
    'Reads recorded answers, as `stickler import` does, and proposes a contract that nearly all of them keep: a JSON Schema, or lengths, headings, language, hosts of links and citations.\n' +
    'Each rule says how many of the answers it rejects. Answers labelled bad are left out; free text and what may be about people is never written down.\n' +
    'Exits with 0 when there is a contract, 1 when no rule holds for nearly all answers, 2 when the files cannot be read.',
  options: (command) =>
    command
      .option('--format <format>', 'the format, in place of the detected one')
      .option('--sample <number>', 'how many answers to learn from, chosen with a fixed seed', wholeNumber(5, 20_000), 2000)
      .option('--out <file>', 'write to a file instead of standard output'),
  run: async (files, flags: SuggestFlags, { cli }) => (await import('../suggest/suggest-contract.ts')).suggestContract(files, flags, cli),
}
