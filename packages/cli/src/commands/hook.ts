import type { HookFlags } from '../hook/event-contract.ts'
import { wholeNumber } from '../whole-number.ts'
import type { CommandRecord } from './command.ts'

/** `stickler hook`. */
export const hook: CommandRecord = {
  name: 'hook',
  summary: 'check what Claude Code does, as one of its hooks',
  description:
    'Reads the event of a Claude Code hook on standard input, judges it by a contract, and prints what the hook answers with.\n' +
    'The configuration is the stickler.yaml in the project of the session (CLAUDE_PROJECT_DIR, or the current folder) or the nearest one above it. Without --contract, its contract with the name of the event is used, such as PreToolUse, and for Stop the only contract of the file.\n' +
    'Exits with 0 whatever the verdict is, and with 2, which blocks, when the input does not say which event it is.',
  async options(command) {
    const { addContractOptions } = await import('../config/contract-options.ts')
    addContractOptions(command)
      .option('--max-blocks <count>', 'how often in a row a turn is sent back; default: the retries of the contract', wholeNumber(0, 100))
      .option('--if-configured', 'let everything pass where there is no stickler.yaml')
  },
  run: async (_args, flags: HookFlags, { cli }) => (await import('../hook/run-hook.ts')).runHook(flags, cli),
}
