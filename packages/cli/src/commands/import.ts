import type { ImportFlags } from '../recordings/import-recordings.ts'
import type { CommandRecord } from './command.ts'

/** `stickler import`. */
export const importFiles: CommandRecord = {
  name: 'import',
  summary: 'convert recorded answers of other tools to JSON lines',
  arguments: { '[file...]': 'files of one format, or - for standard input' },
  description:
    'Reads recorded answers of OpenAI, Anthropic, Langfuse, LangSmith, Helicone, promptfoo, LiteLLM, OpenTelemetry and Braintrust, and writes them as lines for `stickler check --jsonl`.\n' +
    'The format is detected from the first 50 records; records without an answer are counted by reason on standard error.\n' +
    'Exits with 0 when there are answers, 1 when there are none, 2 when the files cannot be read or their format is not known.',
  async options(command) {
    const { recordFormats } = await import('../recordings/formats/index.ts')
    const names = recordFormats.filter(({ refusal }) => refusal === undefined).map(({ name }) => name)
    command
      .option('--format <format>', `the format, in place of the detected one: ${names.join(', ')}`)
      .option('--requests <file>', 'the input file of a batch, whose requests are joined to its answers')
      .option('--out <file>', 'write to a file instead of standard output')
  },
  run: async (files, flags: ImportFlags, { cli }) =>
    (await import('../recordings/import-recordings.ts')).importRecordings(files, flags, cli),
}
