import type { DoctorFlags } from '../doctor/diagnose.ts'
import type { CommandRecord } from './command.ts'

/** `stickler doctor`. */
export const doctor: CommandRecord = {
  name: 'doctor',
  summary: 'diagnose gateway problems',
  description:
    'Checks everything that `stickler serve` needs: the configuration, environment variables, upstreams, parser, store, keys.\n' +
    'Exits with 0 when nothing fails, 2 when the configuration or the machine has a problem, 3 when only an upstream cannot be reached.',
  options: (command) =>
    command.option('--config <file>', 'configuration file; default: ./stickler.yaml').option('--json', 'print the findings as JSON'),
  run: async (_args, flags: DoctorFlags, { cli, platform }) =>
    (await import('../doctor/diagnose.ts')).diagnose(flags, cli, await platform()),
}
