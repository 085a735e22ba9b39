import type { RunFlags } from '../run/run-prompt.ts'
import type { CommandRecord } from './command.ts'
import { addUpstreamOptions } from './options.ts'

/** `stickler run`. */
export const run: CommandRecord = {
  name: 'run',
  summary: 'call a model under a contract',
  arguments: { '[prompt]': 'what to ask, or - for standard input' },
  description:
    'Asks a model under a contract. Text proven safe is streamed to standard output, progress to standard error.\n' +
    'Exits with 0 when the answer is delivered and keeps the contract, 1 when it breaks it or is withheld unchecked, 3 when there is no answer.',
  async options(command) {
    const { addContractOptions } = await import('../config/contract-options.ts')
    addContractOptions(addUpstreamOptions(command))
      .option('--root <dir>', 'folder for files that the answer refers to')
      .option('--session <id>', 'the session to continue, for upstreams that keep sessions')
      .option('--no-stream', 'print the answer only when it is complete')
      .option('--json', 'print the outcome as JSON; text that was withheld is left out')
      .option('--raw', 'do not escape control characters in an answer written to a pipe or file')
      .option('--trace <file>', 'append every event of the run to a file, one JSON object per line')
  },
  run: async ([prompt], flags: RunFlags, { cli }) => (await import('../run/run-prompt.ts')).runPrompt(prompt, flags, cli),
}
