import type { ExplainFlags } from '../catalogue/explain-code.ts'
import { exitCode } from '../exit-code.ts'
import type { CommandRecord } from './command.ts'

/** `stickler explain`. */
export const explain: CommandRecord = {
  name: 'explain',
  summary: 'explain the code of an issue',
  arguments: { '<code>': 'the code, such as MISSING_STEP_MARKER' },
  description: 'Explains the code of an issue, or of an error of the gateway: when it is reported, and what to do about it.',
  options: (command) =>
    command
      .option('--config <file>', 'configuration file that names plugins; default: ./stickler.yaml')
      .option('--json', 'as one JSON object'),
  async run([code = ''], flags: ExplainFlags, { cli }) {
    await (await import('../catalogue/explain-code.ts')).explainCode(code, flags, cli)
    return exitCode.ok
  },
}
