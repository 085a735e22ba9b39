import type { ReplayFlags } from '../evaluation/replay/replay-runs.ts'
import type { CommandRecord } from './command.ts'

/** `stickler replay`. */
export const replay: CommandRecord = {
  name: 'replay',
  summary: 'judge recorded runs of the gateway by a changed configuration',
  description:
    'Judges the first answers of recorded runs by the contracts of a configuration, and reports what would be blocked, repaired or asked for again.\n' +
    'Needs the texts of answers (store.keepText). The same runs and configuration give the same bytes.\n' +
    'Exits with 0 when all gates are passed, 1 when one is not, 2 when the configuration is wrong, 3 when the store cannot be read.',
  async options(command, { platform }) {
    const { addReplayOptions } = await import('../evaluation/replay/replay-runs.ts')
    addReplayOptions(command, (await platform()).today)
  },
  run: async (_args, flags: ReplayFlags, { cli }) => (await import('../evaluation/replay/replay-runs.ts')).replayRuns(flags, cli),
}
